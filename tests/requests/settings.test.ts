import { expect, it, vi } from "vitest";
import type { Env } from "~/config/env.server";
import { ReviewRequests } from "~/requests/worker.server";
import { postReview } from "~/reviews/post.server";
import { Booking } from "#models/booking";
import { as, makeTour, makeUser } from "../support/factories";
import { standIn, time, useOutbox, worker } from "../support/mail";

// docs/rules/review-requests.md, Review requests, with other settings than the defaults.

const site = vi.hoisted(() => ({ settings: {} }));
vi.mock(import("~/config/env.server"), async (original) => {
  const real = await original();
  return { ...real, env: () => ({ ...real.env(), ...site.settings }) };
});

useOutbox();

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;

async function begin(given: Partial<Env>) {
  site.settings = given;
  const requests = new ReviewRequests();
  await requests.turn();
  return async () => {
    await requests.turn();
    await worker().drain();
  };
}

/** Not those to guides. */
const asking = () => standIn.mails.filter(({ subject }) => subject.startsWith("How was "));

async function complete(hoursAgo: number) {
  const [guest, tour] = [await makeUser(), await makeTour()];
  const date = new Date(time.now - hoursAgo * HOUR);
  await Booking.create({ userId: guest._id, tourId: tour._id, status: "COMPLETED", date });
  return { guest, tour };
}

it("asks at once by day where REVIEW_REQUEST_HOURS is 0", async () => {
  const send = await begin({ reviewRequestHours: 0 });
  await complete(0);
  await send();
  expect(asking()).toHaveLength(1);
});

it("waits as many hours as REVIEW_REQUEST_HOURS says", async () => {
  const send = await begin({ reviewRequestHours: 72 });
  await complete(71);
  await send();
  expect(asking()).toHaveLength(0);
  time.now += HOUR;
  await send();
  expect(asking()).toHaveLength(1);
});

it("reminds once, only where REVIEW_REMINDER_DAYS is set, by the same link", async () => {
  const send = await begin({ reviewReminderDays: 5 });
  await complete(20);
  await send();
  time.now += 5 * DAY - 1;
  await send();
  expect(asking()).toHaveLength(1);
  time.now += 1;
  for (let n = 0; n < 3; n++) {
    await send();
    time.now += 6 * DAY;
  }
  expect(asking()).toHaveLength(2);
  const linkOf = ({ content }: (typeof standIn.mails)[0]) =>
    /\/review\/[\w-]+/.exec(content[0]!.value)![0];
  expect(linkOf(asking()[0]!)).toBe(linkOf(asking()[1]!));
});

it("reminds nobody who has reviewed, and nobody once the setting is gone", async () => {
  const send = await begin({ reviewReminderDays: 5 });
  const { guest, tour } = await complete(20);
  await complete(20);
  await send();
  expect(asking()).toHaveLength(2);
  await postReview(as(guest), { tourId: tour._id.toString(), rating: 4 });
  site.settings = {};
  time.now += 5 * DAY;
  await send();
  site.settings = { reviewReminderDays: 5 };
  await send();
  expect(asking()).toHaveLength(2);
});

it("reminds nobody who has reviewed meanwhile", async () => {
  const send = await begin({ reviewReminderDays: 5 });
  const { guest, tour } = await complete(20);
  await send();
  await postReview(as(guest), { tourId: tour._id.toString(), rating: 4 });
  time.now += 5 * DAY;
  await send();
  expect(asking()).toHaveLength(1);
});
