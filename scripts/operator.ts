import { makeOperator, revokeOperator } from "~/moderation/operators.server";
import { readArguments, say, UsageError } from "./lib/command";
import { withDatabase } from "./lib/with-database";

const USAGE = "Usage: npm run operator -- --email EMAIL [--revoke]";

/** Makes a user an operator, who decides about reports at /operator, or takes that from them again. */
export default async function operator(args: string[]): Promise<void> {
  const options = { email: { type: "string" }, revoke: { type: "boolean" } } as const;
  const { values, words } = readArguments(args, options, USAGE);
  const { email, revoke } = values;
  if (email === undefined || words.length > 0) throw new UsageError(USAGE);
  await withDatabase(async () => {
    if (!revoke) {
      await makeOperator(email);
      return say(`${email} is an operator now, and decides about reports at /operator.`);
    }
    const wasOne = await revokeOperator(email);
    say(wasOne ? `${email} is no operator any more.` : `${email} was no operator.`);
  });
}
