import { Change } from "#models/change";
import { rebuildRatings } from "~/reviews/ratings.server";
import { insertReviews, makeTour } from "../support/factories";
import { expect, test } from "./support";

// The history of a tour's rating, which anybody can check.

test("the history of a rating is replayed by its reader’s browser", async ({ page, open }) => {
  const tour = await makeTour();
  await insertReviews(tour._id, 3, () => ({ rating: 4 }));
  await rebuildRatings({ tourIds: [tour._id] });
  await open(`/tours/${tour.slug}/changes`);
  const replay = page.getByRole("button", { name: "Replay the entry here" });
  const result = page.getByRole("region", { name: "Check it yourself" }).getByRole("status");
  await replay.click();
  await expect(result).toHaveText("1 entry, unbroken, 4.0");
  await Change.updateOne({ tourId: tour._id, version: 1 }, { mean: 4.5 });
  await replay.click();
  await expect(result).toHaveText("Entry 1 does not lead to its average.");
});
