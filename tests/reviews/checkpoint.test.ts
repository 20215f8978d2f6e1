import { expect, test, vi } from "vitest";
import { Tour } from "#models/tour";
import { getCheckpoint } from "~/reviews/checkpoints/checkpoint.server";
import { useDatabase } from "../support/database";
import { sentBy } from "../support/explain";
import { makeTour } from "../support/factories";
import { moveTime } from "../support/time";

useDatabase();

const lines = (text: string) => text.match(/^[0-9a-f]{24} 1 0{64}$/gm)?.length ?? 0;

test("a checkpoint is made once for all who ask, and kept for twice as long as that took", async () => {
  moveTime(86_400_000);
  const makeSigned = async () => {
    const { _id } = await makeTour();
    const lastChange = { version: 1, hash: "0".repeat(64), state: "", time: new Date() };
    await Tour.updateOne({ _id }, { lastChange });
  };
  await makeSigned();
  // Its first command takes a minute.
  const real = Tour.find.bind(Tour);
  vi.spyOn(Tour, "find").mockImplementationOnce(((...args: never[]) => {
    moveTime(60_000);
    return real(...args);
  }) as never);
  const asked = await Promise.all([getCheckpoint(), getCheckpoint()]);
  expect(asked.map(lines)).toEqual([1, 1]);
  await makeSigned();
  moveTime(110_000);
  const again = await sentBy(async () => expect(lines(await getCheckpoint())).toBe(1));
  expect(again).toEqual([]);
  moveTime(20_000);
  expect(lines(await getCheckpoint())).toBe(2);
});
