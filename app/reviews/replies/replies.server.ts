import type { Types } from "mongoose";
import type { Ground } from "#models/case";
import { Reply, type ReplyDocument } from "#models/reply";
import { entityTag } from "~/infra/digest.server";
import { type Author, toAuthor } from "~/db/people.server";

/** (docs/rules/replies.md, Replies) */
export interface PublicReply {
  text: string;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  /** When its author last changed it; null if never. */
  editedAt: string | null;
  user: Author;
}

/** Posted, and neither withdrawn nor taken down. */
export interface PostedReply extends ReplyDocument {
  text: string;
}

export const isPosted = (reply: ReplyDocument | null): reply is PostedReply =>
  typeof reply?.text === "string" && !reply.hidden;

/** Its review waits for no other one: the reply is there to be read, or an operator has removed it. */
export const isFinal = (reply: ReplyDocument): boolean => isPosted(reply) || reply.hidden !== null;

/** Returns the replies to these reviews by the reviews' ids, without those that nobody may read. */
export async function findReplies(
  reviewIds: readonly Types.ObjectId[],
): Promise<Map<string, PostedReply>> {
  if (reviewIds.length === 0) return new Map();
  const found = await Reply.find({ _id: { $in: reviewIds } }).lean<ReplyDocument[]>();
  return new Map(found.filter(isPosted).map((reply) => [reply._id.toString(), reply]));
}

/** See `isFinal`. */
export async function findAnswered(reviewIds: readonly Types.ObjectId[]): Promise<Set<string>> {
  const found = await Reply.find({ _id: { $in: reviewIds } }).lean<ReplyDocument[]>();
  return new Set(found.filter(isFinal).map(({ _id }) => _id.toString()));
}

/** Removed by an operator. */
export interface RemovedReply {
  /** ISO 8601, UTC. */
  at: string;
  ground: Ground;
  userId: string;
}

/** Returns the replies to these reviews that operators have removed, by the reviews' ids. */
export async function findRemovedReplies(
  reviewIds: readonly Types.ObjectId[],
): Promise<Map<string, RemovedReply>> {
  if (reviewIds.length === 0) return new Map();
  const found = await Reply.find({ _id: { $in: reviewIds }, hidden: { $ne: null } }).lean<
    ReplyDocument[]
  >();
  return new Map(
    found.flatMap(({ _id, userId, hidden }) =>
      hidden
        ? [
            [
              _id.toString(),
              { at: hidden.at.toISOString(), ground: hidden.ground, userId: userId.toString() },
            ],
          ]
        : [],
    ),
  );
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
