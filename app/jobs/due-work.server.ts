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

/** Finds the documents of a lease. Begins with a field that has an index. */
type LeasedFilter<Document> = QueryFilter<Document> & { lease: string };

interface Options<Document> {
  /** The field that says from when on a document is due: the end of a pause, or of a lease. */
  until: keyof Document & ("dueAt" | "leasedUntil");
  leaseMs: number;
  /** The pause after a first failure. */
  firstRetryMs: number;
}

/**
 * Gives each document that is due to one process at a time. The process leases it by a random id, and records the
 * outcome under that id; the lease of a process that dies ends by itself. Work in the database only needs no lease
 * (app/jobs/each-due.server.ts).
 */
export class DueWork<Document extends Due> {
  constructor(
    private readonly model: Model<Document>,
    private readonly options: Options<Document>,
  ) {}

  /** Returns the filter of what is due. It begins with `only`, for the index. */
  due(only: QueryFilter<Document> = {}): QueryFilter<Document> {
    return { ...only, [this.options.until]: { $lte: new Date() } };
  }

  /** Leases one that is due, and returns it; null where none is. */
  async claim(only?: QueryFilter<Document>): Promise<Leased<Document> | null> {
    const { lease, update } = this.newLease();
    const found = await claimOne(this.model, { filter: this.due(only), update });
    return found && { ...found, lease, attempts: (found.attempts ?? 0) + 1 };
  }

  /** Returns a new lease, and the update that writes it, for documents that are one piece of work. */
  newLease(): { lease: string; update: UpdateQuery<Document> } {
    const lease = randomUUID();
    const update = { $set: { ...this.#in(this.options.leaseMs), lease }, $inc: { attempts: 1 } };
    return { lease, update };
  }

  /**
   * Records the outcome in the documents of a lease, and returns how many they were: 0 where another process has
   * replaced this one.
   */
  async record(mine: LeasedFilter<Document>, outcome: UpdateQuery<Document>): Promise<number> {
    return (await this.model.updateMany(mine, outcome)).matchedCount;
  }

  /** Renews the lease, and returns how many documents have it: 0 where another process has replaced this one. */
  renew(mine: LeasedFilter<Document>, fields: Partial<Document> = {}): Promise<number> {
    const $set = { ...fields, ...this.#in(this.options.leaseMs) };
    return this.record(mine, { $set });
  }

  /** Ends the lease: its documents are due after a pause. */
  giveBack(
    mine: LeasedFilter<Document>,
    afterMs: number,
    fields: Partial<Document> = {},
  ): Promise<number> {
    const $set = { ...fields, ...this.#in(afterMs) };
    return this.record(mine, { $set, $unset: { lease: 1 } });
  }

  /** Returns the pause after a failure, which grows with each, and is at least as long as was asked for. */
  pause({ attempts }: { attempts: number }, askedMs = 0): number {
    return Math.max(backoff(attempts, this.options.firstRetryMs), askedMs);
  }

  #in(ms: number) {
    return { [this.options.until]: new Date(Date.now() + ms) };
  }
}
