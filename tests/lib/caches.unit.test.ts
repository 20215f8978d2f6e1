import { Types } from "mongoose";
import { expect, test } from "vitest";
import type { TourDocument } from "#models/tour";
import { sha256 } from "~/lib/digest.server";
import { requestScope, type TourState } from "~/lib/request-scope.server";
import { wordKeys } from "~/reviews/words/words-of-review.server";
import { cacheRendered } from "~/server/cached-pages.server";
import { cacheBytes } from "../support/caches";

// Each cache counts all that it holds, and holds no more than its bound (docs/operations.md, One machine).

const MIB = 1024 * 1024;

function state(): TourState {
  const _id = new Types.ObjectId();
  return { _id, hash: sha256(_id.toString()), tour: { _id, dates: [] as Date[] } as TourDocument };
}

/** Keeps the page of that address, which shows so many tours. */
function keep(address: string, body: Buffer, headers: Headers, tours = 1) {
  const states = Array.from({ length: tours }, state);
  const page = { address, since: Date.now(), known: "", states, dependsOn: states };
  requestScope.run({ requestId: "", clientAddress: "", page }, () =>
    cacheRendered(new Request("http://localhost"), headers, body),
  );
}

test("pages are counted with their headers and the tours that they show", async () => {
  const before = await cacheBytes("pages");
  const policy = "'sha256-x' ".repeat(1_000);
  keep("/a", Buffer.alloc(10_000), new Headers({ "Content-Security-Policy": policy }), 200);
  const counted = (await cacheBytes("pages")) - before;
  expect(counted).toBeGreaterThan(10_000 + policy.length + 200 * (24 + 64));
});

test("many and large pages stay within 20 MB", async () => {
  for (let n = 0; n < 300; n++) keep(`/${n}`, Buffer.alloc(n % 10 ? 1_000 : MIB), new Headers());
  expect(await cacheBytes("pages")).toBeGreaterThan(18 * MIB);
  expect(await cacheBytes("pages")).toBeLessThanOrEqual(20 * MIB);
});

test("the words of comments stay within 8 MB, however many and long they are", async () => {
  for (let n = 0; n < 20_000; n++) wordKeys(`${n.toString(36)}${"ж".repeat(60)}`, null);
  expect(await cacheBytes("words")).toBeGreaterThan(7 * MIB);
  expect(await cacheBytes("words")).toBeLessThanOrEqual(8 * MIB);
});
