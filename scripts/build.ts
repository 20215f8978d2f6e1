import { buildIfStale } from "./lib/build";
import { noArguments } from "./lib/command";

/** Builds the app for production, unless its sources are built already. */
export default async function buildCommand(args: string[]): Promise<void> {
  noArguments(args, "npm run build");
  await buildIfStale();
}
