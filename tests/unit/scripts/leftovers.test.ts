import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { removeNow } from "../../../scripts/lib/leftovers";

/** Makes files in its working directory for a moment, as a database server does that has just been started. */
const WRITER = `
  const { mkdirSync, writeFileSync } = require("node:fs");
  for (let n = 0; n < 2_000; n++) {
    mkdirSync("database", { recursive: true });
    writeFileSync("database/" + n, "");
    if (n === 10) console.log("begun");
  }
`;

it("removes a folder in which another process still makes files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tour-reviews-leftovers-"));
  const writer = spawn(process.execPath, ["-e", WRITER], { cwd: folder });
  await once(writer.stdout, "data");
  removeNow(folder);
  expect(existsSync(folder)).toBe(false);
  await once(writer, "close");
  expect(existsSync(folder)).toBe(false);
});
