import { vi } from "vitest";

/** Does `work` as if this process's clock showed that time; the database keeps its own. */
export async function atTime<Result>(time: Date, work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ["Date"], now: time });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}
