import { parseArgs } from "node:util";
import { createToken } from "~/services/accounts/tokens.server";
import { say, UsageError, withDatabase } from "./lib/command";

/** Creates a personal access token and prints it alone on standard output. */
export default async function token(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { email: { type: "string" }, name: { type: "string", default: "Command line" } },
    strict: false,
  });
  const { email, name } = values;
  if (typeof email !== "string" || typeof name !== "string")
    throw new UsageError("Usage: npm run token -- --email EMAIL [--name NAME]");
  const created = await withDatabase(() => createToken(email, name));
  say(`A personal access token for ${email}, shown only this once:`);
  process.stdout.write(`${created}\n`);
}
