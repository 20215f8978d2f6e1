import { connectDatabase, disconnectDatabase } from "../../app/infra/database.server";
import { hasUser } from "../../app/services/accounts/users.server";
import { importData, isEmptyDatabase } from "../../app/services/import/import.server";
import { demoData, demoLogins } from "../demo";
import { say } from "./command";

/** Imports the demo data into an empty database. Returns whether the demo users are in it. */
export async function loadDemoData(uri: string): Promise<boolean> {
  await connectDatabase(uri);
  try {
    if (await isEmptyDatabase()) {
      say("Loading the demo data …");
      await importData(demoData(new Date()));
    }
    return await hasUser(demoLogins[0]!.email);
  } finally {
    await disconnectDatabase();
  }
}
