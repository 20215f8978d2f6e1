import { createToken } from "~/services/accounts/tokens.server";
import { optionsOf, say, UsageError, withDatabase } from "./lib/command";

const USAGE = "Usage: npm run token -- --email EMAIL [--name NAME]";

/** Creates a personal access token and prints it alone on standard output. */
export default async function token(args: string[]): Promise<void> {
  const { email, name } = optionsOf(
    args,
    { email: { type: "string" }, name: { type: "string", default: "Command line" } },
    USAGE,
  );
  if (email === undefined) throw new UsageError(USAGE);
  const created = await withDatabase(() => createToken(email, name));
  say(`A personal access token for ${email}, shown only this once:`);
  process.stdout.write(`${created}\n`);
}
