import { expect, test, vi } from "vitest";
import { eachDue } from "~/jobs/each-due.server";

test("does each that is due once, and begins no other when it is stopped", async () => {
  const close = vi.fn(() => Promise.resolve());
  const due = {
    cursor: () => ({
      close,
      async *[Symbol.asyncIterator]() {
        for (let _id = 1; _id <= 2_500; _id++) yield Promise.resolve({ _id });
      },
    }),
  };
  const done = new Set<number>();
  const work = ({ _id }: { _id: number }) => Promise.resolve(done.add(_id));
  await eachDue(due, { work, failure: "failed" });
  expect(done.size).toBe(2_500);
  done.clear();
  await eachDue(due, { work, stopped: () => done.size === 1_200, failure: "failed" });
  expect(done.size).toBe(1_200);
  expect(close).toHaveBeenCalledTimes(2);
});
