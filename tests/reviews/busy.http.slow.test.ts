import mongoose from "mongoose";
import { expect, test } from "vitest";
import { claimTour } from "~/reviews/ratings.server";
import { putReply } from "~/reviews/replies/reply.server";
import { Notification } from "#models/notification";
import { Tour, type TourDocument } from "#models/tour";
import { call, sessionOf, shown, tokenOf } from "../support/app";
import { addressOf, caseOf, formOf, makeCaseScene, report } from "../support/cases";
import { stored, forgetAttempts } from "../support/database";
import { as, makeBookedExplorer, makeReview } from "../support/factories";
import { app, useApp } from "../support/shared-app";
import { touchTokens } from "../support/world";

useApp();

/** Less than the time after which the embedded database ends an idle transaction. */
const TOUCH_MS = 2_000;

/** Keeps everybody else from changing the tour during `work`. */
async function whileClaimed(tour: TourDocument, work: () => Promise<void>): Promise<void> {
  const session = await mongoose.connection.startSession();
  session.startTransaction();
  await claimTour(tour._id, session);
  let touching: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    touching = touching.then(() => Tour.findById(tour._id, null, { session }).lean());
  }, TOUCH_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await touching;
    await session.abortTransaction();
    await session.endSession();
  }
}

test("changes and acts that others keep out for all their time are refused in their own words, and not stored", async () => {
  const { tour, guide, author, review, operator } = await makeCaseScene();
  const [poster, editor] = [await makeBookedExplorer(tour), await makeBookedExplorer(tour)];
  const edited = (await makeReview(editor, tour))._id.toString();
  await putReply(as(guide), edited, { text: "Thank you." });
  await report(addressOf(review));
  const found = await caseOf(review);
  const decision = await formOf(operator, found, { action: "remove" });
  const cookies = [await sessionOf(operator), await sessionOf(author), await sessionOf(poster)];
  const tokens = {
    poster: await tokenOf(poster),
    editor: await tokenOf(editor),
    author: await tokenOf(author),
    guide: await tokenOf(guide),
  };
  await touchTokens();
  await forgetAttempts();
  await expect.poll(() => Notification.countDocuments({ state: "pending" })).toBe(0);
  const before = await stored();
  const tourId = tour._id.toString();

  await whileClaimed(tour, async () => {
    const api = async (method: string, path: string, token: string, body?: object) => {
      const { status, json, headers } = await call(app, method, path, { token, body });
      return [status, json, headers.get("retry-after")];
    };
    const page = async (path: string, cookie: string, fields: Record<string, string>) => {
      const raw = new URLSearchParams(fields);
      const answer = await call(app, "POST", path, { cookie, raw });
      const isSaid = shown(answer).includes("The site is very busy. Nothing was stored");
      return [answer.status, isSaid, answer.headers.get("retry-after")];
    };
    const reply = `/api/reviews/${edited}/reply`;
    const own = `/reviews/${review._id.toString()}`;
    const caseFields = Object.fromEntries(
      Object.entries(decision).map(([name, value]) => [name, String(value)]),
    );
    expect(
      await Promise.all([
        api("POST", "/api/reviews", tokens.poster, { tourId, rating: 5 }),
        api("PATCH", `/api/reviews/${edited}`, tokens.editor, { rating: 5 }),
        api("PUT", reply, tokens.guide, { text: "Other words." }),
        api("DELETE", reply, tokens.guide),
        api("DELETE", `/api${own}`, tokens.author),
        page(`/operator/cases/${found._id.toString()}`, cookies[0]!, caseFields),
        page(`${own}/edit`, cookies[1]!, { rating: "5", comment: "Words", tag: "" }),
        page(`${own}/delete`, cookies[1]!, {}),
        page(`/tours/${tour.slug}`, cookies[2]!, { rating: "5", comment: "Words" }),
      ]),
    ).toEqual([
      [500, { error: "Failed to create review" }, "5"],
      [500, { error: "Failed to update review" }, "5"],
      [500, { error: "Failed to store reply" }, "5"],
      [500, { error: "Failed to delete reply" }, "5"],
      [500, { error: "Failed to delete review" }, "5"],
      ...Array.from({ length: 4 }, () => [503, true, "5"]),
    ]);
  });
  expect(await stored()).toBe(before);
  // Nor later.
  const { status } = await call(app, "DELETE", `/api/reviews/${review._id.toString()}`, {
    token: tokens.author,
  });
  expect(status).toBe(200);
});
