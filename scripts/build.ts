import { build } from "./lib/build";
import { noArguments } from "./lib/command";

/** Builds the app for production. */
export default async function buildCommand(args: string[]): Promise<void> {
  noArguments(args, "npm run build");
  await build();
}
