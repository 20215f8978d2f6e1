import { vi } from "vitest";

/**
 * Stops the time of this process there, until the test ends. Timers, `performance.now()` and the database go on by the
 * real one.
 */
export function setTime(to: Date | number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: to });
}

/** Lets so many milliseconds pass at once. */
export const moveTime = (ms: number): void => setTime(Date.now() + ms);

/** Does this at that time. */
export async function atTime<Result>(
  time: Date | number,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = vi.getMockedSystemTime();
  setTime(time);
  try {
    return await work();
  } finally {
    if (before) setTime(before);
    else vi.useRealTimers();
  }
}
