import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { requestScope } from "~/lib/request-scope.server";
import { answerFromCache, cacheable, cacheRendered } from "~/server/cached-pages.server";
import { Tour, type TourDocument } from "#models/tour";
import { useDatabase } from "../support/database";
import { makeTour } from "../support/factories";

useDatabase();

/** Asks for that page, which `load` reads where it does not come from memory; returns whether it does. */
const open = (url: string, load: () => Promise<TourDocument>): Promise<boolean> =>
  requestScope.run({ requestId: "", clientAddress: "" }, async () => {
    const request = Object.assign(new IncomingMessage(new Socket()), { url });
    if (await answerFromCache(request, new ServerResponse(request))) return true;
    const tour = cacheable({ title: "", dependsOn: [await load()] });
    cacheRendered(new Request("http://localhost"), new Headers(), Buffer.from(tour.title));
    return false;
  });

test("a page that is made while its tour changes does not come from memory afterwards", async () => {
  const { _id } = await makeTour();
  const url = `/reviews/${_id.toString()}`;
  const read = async () => (await Tour.findById(_id).lean<TourDocument>())!;
  // As a page does that has read a review and then its tour.
  const readWhileItChanges = async () => {
    await Tour.updateOne({ _id }, { $inc: { ratingsVersion: 1 } });
    return read();
  };
  for (let n = 0; n < 2; n++) expect(await open(url, readWhileItChanges)).toBe(false);
  expect(await open(url, read)).toBe(false);
  expect(await open(url, read)).toBe(true);
});
