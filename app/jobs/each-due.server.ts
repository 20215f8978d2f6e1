import { shuffle } from "es-toolkit/array";
import { type Cursor, cursorBatches } from "~/db/batches";
import { log } from "~/lib/log.server";

/** How many are read at once: few fields of each, in one answer, as the database closes a cursor that waits. */
const PAGE = 1_000;

interface Query<Document> {
  cursor(options: { batchSize: number }): Cursor<Document>;
}

/** A turn of a job in the background. */
export interface Turn {
  /** Asked before each piece of work: whether the turn is to end. */
  stopped?: () => boolean;
}

interface Options<Document> extends Turn {
  /** Transactions that look again whether it is due, and write that it is no more, or how far they have come. */
  work: (document: Document) => Promise<unknown>;
  /** The log says so of one that fails, which is due at the next turn and holds up no other. */
  failure: string;
}

/**
 * Does the work of each document that the query finds due. Needs no lease (app/jobs/due-work.server.ts) where the work
 * is in the database only: of two processes the second finds it done, and a crash leaves it due.
 */
export async function eachDue<Document extends { _id: unknown }>(
  due: Query<Document>,
  { work, stopped = () => false, failure }: Options<Document>,
): Promise<void> {
  for await (const page of cursorBatches(due.cursor({ batchSize: PAGE }), PAGE))
    // In another order in each process, so that they do not conflict one by one.
    for (const document of shuffle(page)) {
      if (stopped()) return;
      await work(document).catch((error: unknown) =>
        log.error({ err: error, id: document._id }, failure),
      );
    }
}
