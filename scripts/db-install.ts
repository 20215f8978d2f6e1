import { prepareServer } from "./database/install";
import { noArguments, say } from "./lib/command";

/**
 * Sets up the embedded database where every start finds it, for images whose disk cannot be written when they run.
 */
export default async function dbInstall(args: string[]): Promise<void> {
  noArguments(args, "npm run db:install");
  const { file } = await prepareServer({ onProgress: say });
  say(`The embedded database is ready: ${file}`);
}
