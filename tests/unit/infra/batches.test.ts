import { describe, expect, test } from "vitest";
import { batchesOf } from "~/infra/batches";

/** A cursor of that many numbers, which knows how many were read and whether it was closed. */
function cursorOf(count: number) {
  const cursor = {
    read: 0,
    closed: 0,
    close: () => Promise.resolve(void cursor.closed++),
    // As Mongoose's, it is not told when a loop ends early.
    [Symbol.asyncIterator]: (): AsyncIterator<number> => ({
      next: () =>
        Promise.resolve(
          cursor.read < count
            ? { value: cursor.read++, done: false }
            : { value: undefined, done: true },
        ),
    }),
  };
  return cursor;
}

describe("what a cursor reads, in batches", () => {
  test.each<[number, number[][]]>([
    [0, []],
    [4, [[0, 1, 2, 3]]],
    [5, [[0, 1, 2, 3], [4]]],
  ])("of %i", async (count, expected) => {
    const cursor = cursorOf(count);
    const found: number[][] = [];
    for await (const batch of batchesOf(cursor, 4)) {
      // Nothing is read ahead of what is worked on.
      expect(cursor.read).toBe(Math.min(count, 4 * (found.length + 1)));
      found.push(batch);
    }
    expect(found).toEqual(expected);
    expect(cursor.closed).toBe(1);
  });

  test("ends with its cursor closed, however the loop ends", async () => {
    const left = cursorOf(9);
    for await (const batch of batchesOf(left, 4)) if (batch.length > 0) break;
    expect(left).toMatchObject({ read: 4, closed: 1 });

    const failed = cursorOf(9);
    const fail = async () => {
      for await (const batch of batchesOf(failed, 4)) throw new Error(`${batch.length} too many`);
    };
    await expect(fail()).rejects.toThrow("4 too many");
    expect(failed).toMatchObject({ read: 4, closed: 1 });
  });
});
