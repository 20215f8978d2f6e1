import { parseEnv } from "~/config/env.server";
import { acquireDatabase } from "../database/index";
import { say } from "./command";

export interface OpenDatabase {
  uri: string;
  embedded: boolean;
  release: () => Promise<void>;
  /** As in `EmbeddedDatabase`; only for the embedded database. */
  lost?: Promise<void>;
}

/**
 * The database of every command: that of `MONGODB_URI`, otherwise the embedded one under `DATA_DIR`, started if it is
 * not running (docs/rules/commands.md, Commands). `onNotice` is called when the embedded one ends unexpectedly and when
 * it runs again. `release` must be called at the end.
 */
export async function openDatabase({
  onNotice = say,
}: { onNotice?: (line: string) => void } = {}): Promise<OpenDatabase> {
  const { mongodbUri, dataDir } = parseEnv(process.env);
  if (mongodbUri) return { uri: mongodbUri, embedded: false, release: async () => {} };
  return { embedded: true, ...(await acquireDatabase({ dataDir, onProgress: say, onNotice })) };
}
