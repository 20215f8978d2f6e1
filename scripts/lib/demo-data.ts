import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connectDatabase, disconnectDatabase } from "../../app/infra/database.server";
import type { Env } from "../../app/infra/env.server";
import { findDemoUsers } from "../../app/services/accounts/demo-log-ins.server";
import { hasUser } from "../../app/services/accounts/users.server";
import { importData, isEmptyDatabase } from "../../app/services/import/import.server";
import { demoData, demoLogins } from "../demo";
import { say, UsageError } from "./command";

/** Imports the demo data into the database of that URI. */
export async function loadDemoData(uri: string): Promise<void> {
  await connected(uri, () => importData(demoData(new Date())));
}

/**
 * Loads the demo data where it belongs: when `demo` asks for it, and when a site for this machine alone that is
 * no production starts for the first time on an embedded database without records. Returns those of the demo log-ins that
 * are in the database with the demo password. Throws `UsageError` when `demo` asks for it in a database with other records.
 */
export async function provideDemoData({
  uri,
  embedded,
  env,
  demo,
}: {
  uri: string;
  embedded: boolean;
  env: Env;
  demo: boolean;
}): Promise<typeof demoLogins> {
  // Says of the embedded database that its first start is over, and whether its import was cut off.
  const note = join(env.dataDir, "demo-data");
  const noted = embedded ? await readFile(note, "utf8").catch(() => "") : DECIDED;
  return connected(uri, async () => {
    const empty = await isEmptyDatabase();
    const wanted = empty && (demo || (noted === "" && env.local && !env.production));
    if (demo && !empty && noted !== LOADING && !(await hasDemoUsers()))
      throw new UsageError(
        "--demo is for a database without records, and this one has some: set DATA_DIR to another folder, or MONGODB_URI to another database",
      );
    if (wanted || noted === LOADING) {
      say("Loading the demo data …");
      if (embedded) await writeFile(note, LOADING, { mode: 0o600 });
      await importData(demoData(new Date()));
    }
    if (embedded) await writeFile(note, DECIDED, { mode: 0o600 });
    const unchanged = await findDemoUsers(demoLogins.map(({ email }) => email));
    return demoLogins.filter(({ email }) => unchanged.includes(email));
  });
}

const LOADING = "loading\n";
const DECIDED = "decided\n";

const hasDemoUsers = () => hasUser(demoLogins[0]!.email);

async function connected<Result>(uri: string, work: () => Promise<Result>): Promise<Result> {
  await connectDatabase(uri);
  try {
    return await work();
  } finally {
    await disconnectDatabase();
  }
}
