import { expect, onTestFinished, test, vi } from "vitest";
import { notifications } from "~/mail/delivery.server";
import { postReview } from "~/reviews/post.server";
import { Notification } from "#models/notification";
import { useDatabase } from "../support/database";
import { as, makeBookedExplorer, makeTour } from "../support/factories";

useDatabase();

test("the e-mail about a new review does not wait until the worker looks again", async () => {
  const tour = await makeTour();
  const guest = await makeBookedExplorer(tour);
  // From now on the worker looks only when it is told to.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(async () => {
    vi.useRealTimers();
    await notifications.stop();
  });
  notifications.start();
  await postReview(as(guest), { tourId: tour._id.toString(), rating: 5 });
  await vi.waitFor(async () =>
    expect(await Notification.find().lean()).toMatchObject([{ state: "captured" }]),
  );
});
