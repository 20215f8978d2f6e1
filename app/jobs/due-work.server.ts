import { randomUUID } from "node:crypto";
import type { Model, QueryFilter, UpdateQuery } from "mongoose";
import { claimOne } from "~/db/embedded/claim.server";
import { backoff } from "~/lib/retries.server";

interface Due {
  _id: unknown;
  lease?: string;
  attempts?: number;
}

export type Leased<Document> = Document & { lease: string; attempts: number };

/** A filter that begins with a field that has an index. */
type LeasedFilter<Document> = QueryFilter<Document> & { lease: string };

interface Options<Document> {
  /** From then on a document is due: the end of a pause, or of a lease. */
  until: keyof Document & ("dueAt" | "leasedUntil");
  leaseMs: number;
  /** The pause after a first failure. */
  firstRetryMs: number;
}

/**
 * The one way in which processes take what is due in a collection, each document by one of them at a time: its lease is
 * an id that only its holder knows, and ends by itself when the holder dies.
 */
export class DueWork<Document extends Due> {
  constructor(
    private readonly model: Model<Document>,
    private readonly options: Options<Document>,
  ) {}

  /** The filter of those that are due. Begins with `only`, for the index. */
  due(only: QueryFilter<Document> = {}): QueryFilter<Document> {
    return { ...only, [this.options.until]: { $lte: new Date() } };
  }

  /** Leases one that is due; null where none is. */
  async claim(only?: QueryFilter<Document>): Promise<Leased<Document> | null> {
    const { lease, update } = this.leasing();
    const found = await claimOne(this.model, { filter: this.due(only), update });
    return found && { ...found, lease, attempts: (found.attempts ?? 0) + 1 };
  }

  /** A new lease, and the update that gives it, for documents that are one piece of work. */
  leasing(): { lease: string; update: UpdateQuery<Document> } {
    const lease = randomUUID();
    const update = { $set: { ...this.#in(this.options.leaseMs), lease }, $inc: { attempts: 1 } };
    return { lease, update };
  }

  /**
   * Records the outcome in what has that lease. Only its holder records: a late process may have been replaced
   * meanwhile. Returns how many documents that were.
   */
  async record(mine: LeasedFilter<Document>, outcome: UpdateQuery<Document>): Promise<number> {
    return (await this.model.updateMany(mine, outcome)).matchedCount;
  }

  /** Keeps the lease for another while; 0 when another process has it. */
  renew(mine: LeasedFilter<Document>, fields: Partial<Document> = {}): Promise<number> {
    const $set = { ...fields, ...this.#in(this.options.leaseMs) };
    return this.record(mine, { $set });
  }

  /** Gives it back, to be due after a pause. */
  giveBack(
    mine: LeasedFilter<Document>,
    afterMs: number,
    fields: Partial<Document> = {},
  ): Promise<number> {
    const $set = { ...fields, ...this.#in(afterMs) };
    return this.record(mine, { $set, $unset: { lease: 1 } });
  }

  /** The pause after a failure: longer each time, and as long as was asked for. */
  pause({ attempts }: { attempts: number }, askedMs = 0): number {
    return Math.max(backoff(attempts, this.options.firstRetryMs), askedMs);
  }

  #in(ms: number) {
    return { [this.options.until]: new Date(Date.now() + ms) };
  }
}
