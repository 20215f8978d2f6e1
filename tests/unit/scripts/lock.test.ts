import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { locked } from "../../../scripts/lib/lock.mjs";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-test-"));
  file = join(folder, "lock");
});
afterEach(() => rm(folder, { recursive: true }));

const nobody = () => expect.unreachable("Nobody has the lock");

it("lets one work after the other, and tells who waits once", async () => {
  const done: string[] = [];
  const onWait = vi.fn();
  const work = (name: string) => async () => {
    expect(await readFile(file, "utf8")).toBe(String(process.pid));
    done.push(`${name} begins`);
    await delay(300);
    done.push(`${name} ends`);
    return name;
  };
  const first = locked(file, { onWait: nobody, work: work("first") });
  const second = locked(file, { onWait, work: work("second") });
  expect(await Promise.all([first, second])).toEqual(["first", "second"]);
  expect(done).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  expect(onWait).toHaveBeenCalledTimes(1);
  expect(existsSync(file)).toBe(false);
});

it("is released when the work fails", async () => {
  const fails = locked(file, { onWait: nobody, work: () => Promise.reject(new Error("failed")) });
  await expect(fails).rejects.toThrow("failed");
  expect(existsSync(file)).toBe(false);
});

it("does not wait for a process that was killed", async () => {
  // No process has this id.
  await writeFile(file, String(2 ** 30));
  expect(await locked(file, { onWait: nobody, work: () => "done" })).toBe("done");
});

it("does not wait for a process that only has the id of one that was killed", async () => {
  await writeFile(file, String(process.pid));
  const aMinuteAgo = new Date(Date.now() - 60_000);
  await utimes(file, aMinuteAgo, aMinuteAgo);
  expect(await locked(file, { onWait: nobody, work: () => "done" })).toBe("done");
});

it("is renewed while the work goes on", async () => {
  const work = async () => {
    const aMinuteAgo = new Date(Date.now() - 60_000);
    await utimes(file, aMinuteAgo, aMinuteAgo);
    await delay(1_500);
    const onWait = vi.fn();
    const next = locked(file, { onWait, work: () => "next" });
    await delay(100);
    expect(onWait).toHaveBeenCalled();
    return { next };
  };
  const { next } = await locked(file, { onWait: nobody, work });
  expect(await next).toBe("next");
});

it("leaves the lock of a process that has taken it over", async () => {
  const taken = () => writeFile(file, String(process.ppid));
  await locked(file, { onWait: nobody, work: taken });
  expect(await readFile(file, "utf8")).toBe(String(process.ppid));
});
