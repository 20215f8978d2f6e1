import { Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { sendParts } from "~/server/api.server";

/** An answer whose client takes a part when `take` is called, and the parts that are made for it. */
function answer(failsAt = Infinity) {
  const seen = { made: 0, taken: [] as string[], over: false };
  let take = () => {};
  const response = new Writable({
    highWaterMark: 1,
    write(part: Buffer, _encoding, done) {
      take = () => {
        seen.taken.push(part.toString());
        done();
      };
    },
  });
  async function* parts() {
    try {
      while (seen.made < 5) {
        if (seen.made === failsAt) throw new Error("connection lost");
        yield await Promise.resolve(`${++seen.made}`);
      }
    } finally {
      seen.over = true;
    }
  }
  const settled = async () => {
    for (let n = 0; n < 10; n++) await turn();
  };
  return { seen, response, sent: sendParts(parts(), response), take: () => take(), settled };
}

test("a part is made when the client has taken the one before, and all are sent", async () => {
  const { seen, sent, take, settled } = answer();
  for (let taken = 0; taken < 5; taken++) {
    await settled();
    expect(seen.made).toBe(taken + 1);
    take();
  }
  await sent;
  expect(seen.taken).toEqual(["1", "2", "3", "4", "5"]);
});

test("a part that fails ends the sending without an end of the answer", async () => {
  const { response, sent, take, settled } = answer(1);
  const failed = expect(sent).rejects.toThrow("connection lost");
  await settled();
  take();
  await failed;
  expect([response.destroyed, response.writableFinished]).toEqual([true, false]);
});
