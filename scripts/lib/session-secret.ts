import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "./command";

/** The secret that signs session cookies, created once and stored in `dataDir`. */
export async function storedSessionSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, "session-secret");
  await mkdir(dataDir, { recursive: true });
  const secret = randomBytes(32).toString("base64url");
  try {
    await writeFile(file, secret, { flag: "wx", mode: 0o600 });
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST")
      throw new UsageError(`DATA_DIR cannot be written: ${(error as Error).message}`);
    return readFile(file, "utf8");
  }
}
