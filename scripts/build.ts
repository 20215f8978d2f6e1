import { buildIfStale } from "./lib/build";
import { noArguments } from "./lib/command";

/** Builds the app for production, unless there is a build of these sources already. */
export default async function buildCommand(args: string[]): Promise<void> {
  noArguments(args, "npm run build");
  await buildIfStale();
}
