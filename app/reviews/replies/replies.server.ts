import type { Types } from "mongoose";
import type { z } from "zod";
import type { Ground } from "#models/case";
import { Reply, type ReplyDocument } from "#models/reply";
import { entityTag } from "~/lib/digest.server";
import { type Author, toAuthor } from "~/accounts/people.server";
import type * as schemas from "~/reviews/schemas";

/** (docs/rules/replies.md, Replies) */
export type PublicReply = z.output<typeof schemas.Reply>;

/** Posted, and neither withdrawn nor taken down. */
export interface PostedReply extends ReplyDocument {
  text: string;
}

export const isPosted = (reply: ReplyDocument | null): reply is PostedReply =>
  typeof reply?.text === "string" && !reply.hidden;

/** Returns the replies to these reviews by the reviews' ids, without those that nobody may read. */
export async function findReplies(
  reviewIds: readonly Types.ObjectId[],
): Promise<Map<string, PostedReply>> {
  if (reviewIds.length === 0) return new Map();
  const found = await Reply.find({ _id: { $in: reviewIds } }).lean<ReplyDocument[]>();
  return new Map(found.filter(isPosted).map((reply) => [reply._id.toString(), reply]));
}

/**
 * Returns the replies to these reviews, by the reviews' ids, of those that wait for none: theirs is there to be read, or
 * an operator has removed it.
 */
export async function findAnswers(
  reviewIds: readonly Types.ObjectId[],
): Promise<Map<string, ReplyDocument>> {
  const found = await Reply.find({ _id: { $in: reviewIds } })
    .batchSize(reviewIds.length + 1)
    .lean<ReplyDocument[]>();
  const answering = found.filter((reply) => isPosted(reply) || reply.hidden);
  return new Map(answering.map((reply) => [reply._id.toString(), reply]));
}

/** Returns how many reviews of these tours wait for no reply. */
export const countAnswers = (tourIds: Types.ObjectId[]): Promise<number> =>
  Reply.countDocuments({ tourId: { $in: tourIds }, text: { $type: "string" } });

/** When an operator has removed a reply, on which ground, and its author. */
export interface RemovedReply {
  at: string;
  ground: Ground;
  userId: string;
}

/** Returns the replies to these reviews that operators have removed, by the reviews' ids. */
export async function findRemovedReplies(
  reviewIds: readonly Types.ObjectId[],
): Promise<Map<string, RemovedReply>> {
  if (reviewIds.length === 0) return new Map();
  const filter = { _id: { $in: reviewIds }, hidden: { $ne: null } };
  return removedReplies(await Reply.find(filter).lean<ReplyDocument[]>());
}

/** Returns those of these replies that operators have removed, by their reviews' ids. */
export function removedReplies(replies: Iterable<ReplyDocument>): Map<string, RemovedReply> {
  const removed = new Map<string, RemovedReply>();
  for (const { _id, userId, hidden } of replies)
    if (hidden) {
      const { at, ground } = hidden;
      removed.set(_id.toString(), { at: at.toISOString(), ground, userId: userId.toString() });
    }
  return removed;
}

/** An author whose account is gone has no name and no picture. */
export const toPublicReply = (
  { text, createdAt, editedAt }: Pick<PostedReply, "text" | "createdAt" | "editedAt">,
  author: Author | null | undefined,
): PublicReply => ({
  text,
  createdAt: createdAt.toISOString(),
  editedAt: editedAt?.toISOString() ?? null,
  user: toAuthor(author),
});

/** The entity tag of a reply's state: it changes with every change of its text. */
export const replyTag = ({
  text,
  createdAt,
  editedAt,
}: Pick<PublicReply, "text" | "createdAt" | "editedAt">): string =>
  entityTag(JSON.stringify([text, createdAt, editedAt]));
