import { CONFIRMED } from "#models/booking";
import { makeBooking, makeReview, makeTour, makeUser } from "../support/factories";
import { expect, test } from "./support";

// A visitor far from the tours and from the site: what a page says is the tour's time, with scripts and without.
test.use({ timezoneId: "America/Los_Angeles" });

const DAY_MS = 24 * 60 * 60 * 1_000;
const TOKYO_MS = 9 * 60 * 60 * 1_000;
/** Monday in UTC, Tuesday in Tokyo. */
const DEPARTURE = "2026-11-30T22:30:00.000Z";
const IN_WORDS = /^Tuesday 1 December( 2026)?, 07:30, Tokyo time$/;

test("a tour of Tokyo leaves by the clocks of Tokyo, and its reviews have its days", async ({
  page,
  open,
}) => {
  const tour = await makeTour({ date: new Date(DEPARTURE), timeZone: "Asia/Tokyo" });
  const review = await makeReview(await makeUser({ name: "Ann" }), tour, {
    createdAt: new Date("2026-05-25T16:00:00Z"),
  });
  await open(`/tours/${tour.slug}`);
  const departure = page.getByRole("time").filter({ hasText: IN_WORDS });
  await expect(departure).toHaveAttribute("datetime", DEPARTURE);
  for (const path of [
    `/tours/${tour.slug}`,
    `/guides/${tour.createdById.toString()}`,
    `/reviews/${review._id.toString()}`,
  ]) {
    await open(path);
    await expect(page.getByRole("time").filter({ hasText: /^26 May( 2026)?$/ })).toBeVisible();
  }
});

test("an explorer reads when the tours were, when the next is and until when a review can be edited", async ({
  page,
  open,
  logIn,
}) => {
  const inTokyo = { timeZone: "Asia/Tokyo" };
  const taken = await makeTour({ title: "Taken", ...inTokyo });
  const coming = await makeTour({ title: "Coming", ...inTokyo });
  const written = await makeTour({ title: "Written", ...inTokyo });
  const ann = await makeUser({ name: "Ann" });
  await makeBooking(ann, taken, { date: new Date("2025-11-30T22:30:00Z") });
  await makeBooking(ann, coming, { date: new Date("2098-11-30T22:30:00Z"), status: CONFIRMED });
  await makeBooking(ann, written);
  const { _id, createdAt } = await makeReview(ann, written);
  const until = new Date(createdAt.getTime() + DAY_MS + TOKYO_MS).toISOString().slice(11, 16);
  await logIn(ann);

  await open("/me");
  await expect(page.getByRole("main")).toContainText(
    "You took this tour on Monday 1 December 2025, 07:30, Tokyo time",
  );
  await expect(page.getByRole("main")).toContainText(
    "You are booked for Monday 1 December 2098, 07:30, Tokyo time",
  );
  // As a box of its own it would leave a full stop behind it alone on the next line.
  await expect(page.getByRole("time").first()).toHaveCSS("display", "inline");
  const id = _id.toString();
  for (const path of ["/me", `/tours/${written.slug}`, `/reviews/${id}`, `/reviews/${id}/edit`]) {
    await open(path);
    // The day may have begun there since the review was posted.
    await expect(page.getByText(/^You can edit this until/)).toHaveText(
      new RegExp(`^You can edit this until ${until} (today|tomorrow) \\(Tokyo time\\)$`),
    );
  }
});
