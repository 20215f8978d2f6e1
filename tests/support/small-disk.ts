import { execFileSync } from "node:child_process";
import { statfsSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";

/** A file system of its own at a folder, which can be full. */
export interface SmallDisk {
  /** Uses up all remaining space, or leaves that many megabytes. */
  fill: (left?: number) => Promise<void>;
  /** The space that is left, in megabytes. */
  left: () => number;
  /** Frees what `fill` has used up. */
  free: () => Promise<void>;
  makeReadOnly: () => void;
  unmount: () => void;
}

/** Mounts one with that many megabytes of memory, or returns null if this user or system cannot. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk | null {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], {
      stdio: "ignore",
    });
  } catch {
    return null;
  }
  const filler = join(folder, "filler");
  const spaceLeft = () => {
    const { bavail, bsize } = statfsSync(folder);
    return (bavail * bsize) / 1024 ** 2;
  };
  return {
    left: spaceLeft,
    async fill(left = 0) {
      const file = await open(filler, "a");
      const block = Buffer.alloc(65_536);
      try {
        while (left === 0 || spaceLeft() > left) await file.write(block);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    makeReadOnly: () => void execFileSync("mount", ["-o", "remount,ro", folder]),
    unmount: () => void execFileSync("umount", ["--lazy", folder]),
  };
}
