import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "~/lib/durations";
import { connectedDatabase } from "~/db/connection.server";
import { DatabaseError, isDuplicateKeyError } from "~/lib/errors.server";
import { Layout, type LayoutDocument } from "#models/layout";
import { recordCheckpoints } from "./checkpoints";
import { renameFormerCollections } from "./former-names";
import { migrateIdempotencyKeys } from "./idempotency-keys";
import { migrateOutbox } from "./outbox";
import { queueEvents } from "./webhooks";
import { verifyEarlierReviews } from "./verified";

interface Database {
  /** Whether it is the embedded database, in which all collections are ours. */
  embedded: boolean;
  /** Is called for each migration that begins. */
  onProgress?: (message: string) => void;
}

/**
 * The migrations that bring the data of earlier releases into the form of this one, in order; a migration's number is
 * its place, counted from 1. Each can be interrupted and run again. Migrations are only ever added.
 */
const MIGRATIONS: { name: string; run: (database: Database) => Promise<void> }[] = [
  {
    name: "our collections have a prefix",
    run: async ({ embedded }) => {
      if (embedded) await renameFormerCollections(connectedDatabase());
    },
  },
  { name: "e-mails have a kind and an end", run: () => migrateOutbox() },
  { name: "reviews say whether they have a booking", run: verifyEarlierReviews },
  { name: "idempotency keys hold no words", run: migrateIdempotencyKeys },
  { name: "ratings can be replayed from now on", run: recordCheckpoints },
  { name: "the events of webhooks wait in the outbox", run: queueEvents },
];

/** The layout of the database that this release reads and writes. */
export const LAYOUT = MIGRATIONS.length;

/** If a migrating process shows no sign of life for this long, another one takes over, in milliseconds. */
export const LEASE_MS = MINUTE_MS;

const ONLY = { _id: "layout" } as const;

/**
 * Brings the connected database to this release's layout, in one process at a time. Throws `DatabaseError` if its
 * layout is newer, and then changes nothing.
 */
export async function migrate(database: Database): Promise<void> {
  for (;;) {
    const layout = await Layout.findById(ONLY._id).lean<LayoutDocument>();
    if (layout) refuseNewer(layout.number);
    if (layout?.number === LAYOUT) return;
    const lease = randomUUID();
    if (layout ? await claimLease(lease) : await beginMigration(lease, database)) {
      await runMigrations(lease, database);
      return;
    }
    await sleep(500);
  }
}

/** Throws `DatabaseError` for a layout that this release does not know. */
export function refuseNewer(number: number): void {
  if (number > LAYOUT)
    throw new DatabaseError(
      `The database has layout ${number}, and this release of Tour Reviews knows layouts up to ${LAYOUT}: install the newer release again, or restore a backup from before the upgrade (docs/operations.md)`,
    );
}

/** Writes the first record of a layout; returns false if another process was first. */
async function beginMigration(lease: string, database: Database): Promise<boolean> {
  const number = (await isNew(database)) ? LAYOUT : 0;
  return Layout.create({ ...ONLY, number, lease, leasedUntil: inALease() }).then(
    () => true,
    (error: unknown) => {
      if (isDuplicateKeyError(error)) return false;
      throw error;
    },
  );
}

/** Whether no release of ours has stored anything yet. */
async function isNew({ embedded }: Database): Promise<boolean> {
  const found = await connectedDatabase().listCollections({}, { nameOnly: true }).toArray();
  return !found.some(({ name }) => embedded || name.startsWith("tourReviews."));
}

async function claimLease(lease: string): Promise<boolean> {
  // A newer release may have migrated the database since its layout was read.
  const free = { ...ONLY, leasedUntil: { $lt: new Date() }, number: { $lte: LAYOUT } };
  const taken = await Layout.updateOne(free, { lease, leasedUntil: inALease() });
  return taken.modifiedCount === 1;
}

async function runMigrations(lease: string, database: Database): Promise<void> {
  const mine = { ...ONLY, lease };
  const renewal = setInterval(
    () => void Layout.updateOne(mine, { leasedUntil: inALease() }).catch(() => {}),
    LEASE_MS / 3,
  );
  try {
    const { number } = (await Layout.findById(ONLY._id).lean<LayoutDocument>())!;
    for (const [done, migration] of MIGRATIONS.entries()) {
      if (done < number) continue;
      database.onProgress?.(`Upgrading the database: ${migration.name} …`);
      await migration.run(database);
      const { matchedCount } = await Layout.updateOne(mine, { number: done + 1 });
      // Another process assumed that this one had died.
      if (matchedCount === 0) throw new DatabaseError("The upgrade was taken over: start again");
    }
  } finally {
    clearInterval(renewal);
    await Layout.updateOne(mine, { $set: { leasedUntil: new Date(0) }, $unset: { lease: 1 } });
  }
}

const inALease = () => new Date(Date.now() + LEASE_MS);
