import type { Types } from "mongoose";
import { NO_ID } from "#models/reading";
import { Reply, type ReplyDocument } from "#models/reply";
import { Tour, type TourDocument } from "#models/tour";
import { deleteRepliesOf } from "~/reviews/replies/reply.server";

const BATCH = 100;

/**
 * Removes what the user has replied as a guide, a batch of a tour's at a time, then what was just being written when the
 * account was deleted. `renew` is called before each bit of work.
 */
export async function removeReplies(
  userId: Types.ObjectId,
  renew: () => Promise<void>,
): Promise<void> {
  while (true) {
    const replies = await Reply.find({ userId }, "tourId").limit(BATCH).lean<ReplyDocument[]>();
    if (replies.length === 0) break;
    const tourIds = new Map(replies.map(({ tourId }) => [tourId.toString(), tourId]));
    for (const tourId of tourIds.values()) {
      await renew();
      const ofTour = replies.filter((reply) => reply.tourId.equals(tourId));
      const ids = ofTour.map(({ _id }) => _id);
      await deleteRepliesOf(userId, tourId, ids);
    }
  }
  let last = NO_ID;
  while (true) {
    const tours = await Tour.find({ createdById: userId, _id: { $gt: last } }, "_id")
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean<TourDocument[]>();
    if (tours.length === 0) return;
    for (const { _id } of tours) {
      await renew();
      await deleteRepliesOf(userId, _id);
    }
    last = tours.at(-1)!._id;
  }
}
