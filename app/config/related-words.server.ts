import { readFileSync, statSync } from "node:fs";
import { z } from "zod";

const MOST_RELATED_BYTES = 256 * 1024;
/** Words, which may be followed by others behind ">". */
const RELATED_LINE = /^[\p{L}\p{M}\p{N}]+( [\p{L}\p{M}\p{N}]+)*( >( [\p{L}\p{M}\p{N}]+)+)?$/u;

/** Returns the lines of that file but for comments and empty ones. */
export function readRelatedWords(path: string, context: z.RefinementCtx): string[] {
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  try {
    if (statSync(path).size > MOST_RELATED_BYTES)
      return refuse("must be a file of at most 256 KiB");
    const lines = readFileSync(path, "utf8")
      .split(/\r?\n/)
      .map((line) => line.replace(/#.*/, "").trim().replace(/\s+/g, " "));
    const bad = lines.findIndex((line) => line && !RELATED_LINE.test(line));
    if (bad === -1) return lines.filter(Boolean);
    return refuse(`line ${bad + 1} must be words between spaces, such as: boat sail > ferry`);
  } catch (error) {
    return refuse(`cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}
