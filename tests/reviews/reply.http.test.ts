import { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { toCurrentUser } from "~/accounts/users.server";
import { Notification } from "#models/notification";
import { Reply } from "#models/reply";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { tokenOf } from "../support/app";
import {
  api,
  list,
  refusal,
  refused,
  REVIEW_FIELDS,
  reviewed,
  useApp,
} from "../support/shared-app";
import { makeReply, makeReview, makeTour, makeUser } from "../support/factories";
import { exportOf } from "../support/services";

useApp();

const UNAUTHORIZED = refused(401, "Unauthorized");
const BAD_REPLY = refused(400, "Reply must be 1 to 2000 characters");
const NO_REVIEW = refused(404, "Review not found");
const NOT_GUIDE = refused(403, "Only the tour's guide can reply");
const NOT_AUTHOR = refused(403, "Only its author can change this reply");
const NO_REPLY = refused(404, "Reply not found");
const CHANGED = refused(412, "The reply was changed meanwhile");
const TEXT = { text: "Thank you, Ann." };
const HOUR = 60 * 60 * 1_000;

/** A review with its guide's token. */
async function scene() {
  const of = await reviewed();
  const path = `${of.path}/reply`;
  return { ...of, reviewPath: of.path, path, ann: of.token, token: await tokenOf(of.guide) };
}

interface Reply_ {
  text: string;
  createdAt: string;
  editedAt: string | null;
  user: { name: string; image: string | null };
}
const replyOf = ({ json }: { json?: unknown }) => (json as { reply: Reply_ }).reply;

describe("PUT /api/reviews/{id}/reply", () => {
  it("stores the reply, then replaces its text", async () => {
    const { token, path, guide, tour, review } = await scene();
    const before = await Tour.findById(tour._id).lean();
    const first = await api("PUT", path, { token, body: { ...TEXT, userId: "x", createdAt: 1 } });
    expect(first.status).toBe(200);
    const { createdAt } = replyOf(first);
    expect(first.json).toEqual({
      reply: {
        ...TEXT,
        createdAt,
        editedAt: null,
        user: { name: "Gwen Guide", image: "https://img.example/gwen.png" },
      },
    });
    expect(Date.now() - Date.parse(createdAt)).toBeLessThan(60_000);
    const second = await api("PUT", path, { token, body: { text: " other\nwords " } });
    expect(replyOf(second)).toMatchObject({ text: " other\nwords ", createdAt });
    expect(Date.parse(replyOf(second).editedAt!)).toBeGreaterThanOrEqual(Date.parse(createdAt));
    expect(second.headers.get("etag")).not.toBe(first.headers.get("etag"));
    const stored = await Reply.find().lean();
    expect(stored).toMatchObject([{ _id: review._id, tourId: tour._id, userId: guide._id }]);
    const after = await Tour.findById(tour._id).lean();
    expect(after).toEqual({ ...before, ratingsVersion: before!.ratingsVersion + 2 });
  });

  it("with the stored text changes nothing, and says so by the same answer", async () => {
    const { token, path } = await scene();
    const first = await api("PUT", path, { token, body: TEXT });
    const again = await api("PUT", path, { token, body: TEXT });
    expect(again.json).toEqual(first.json);
    expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
  });

  it("takes text of 1 to 2,000 characters, and nothing else", async () => {
    const { token, path } = await scene();
    const put = (body: unknown) => api("PUT", path, { token, body });
    const bad = ["x".repeat(2_001), "", " \n\u3000", "\u200B\u2060", "\0\u001B", null, 1].map(
      (text) => ({
        text,
      }),
    );
    for (const body of [...bad, { comment: "a" }, ["a"]])
      expect(refusal(await put(body)), JSON.stringify(body)).toEqual(BAD_REPLY);
    expect(await Reply.countDocuments()).toBe(0);
    const language = "شكرا \u{1F9ED} ありがとう\n<b>&amp;";
    for (const text of ["a", "x".repeat(2_000), "🧭".repeat(2_000), language]) {
      const answer = await put({ text });
      expect([answer.status, replyOf(answer).text]).toEqual([200, text]);
    }
  });

  it("makes its checks in their order", async () => {
    const { token, path, ann, guest } = await scene();
    const unknown = `/api/reviews/${new Types.ObjectId().toString()}/reply`;
    const put = async (to: string, options: Parameters<typeof api>[2]) =>
      refusal(await api("PUT", to, options));
    expect(await put(unknown, { body: {} })).toEqual(UNAUTHORIZED);
    expect(await put(unknown, { token, body: {} })).toEqual(BAD_REPLY);
    expect(await put(path, { token: ann, body: {} })).toEqual(BAD_REPLY);
    for (const to of [unknown, "/api/reviews/x/reply"])
      expect(await put(to, { token, body: TEXT })).toEqual(NO_REVIEW);
    const headers = { "if-match": '"other"' };
    expect(await put(path, { token: ann, body: TEXT, headers })).toEqual(NOT_GUIDE);
    expect(await put(path, { token, body: TEXT, headers })).toEqual(CHANGED);
    expect(await Reply.countDocuments()).toBe(0);
    // A guide of another tour, or of none that is left, is no guide of this one.
    await makeTour({ createdById: guest._id });
    expect(await put(path, { token: ann, body: TEXT })).toEqual(NOT_GUIDE);
    await Tour.deleteMany({});
    expect(await put(path, { token, body: TEXT })).toEqual(NOT_GUIDE);
  });

  it("with If-Match replaces only what the client has seen", async () => {
    const { token, path } = await scene();
    const put = (text: string, tag: string) =>
      api("PUT", path, { token, body: { text }, headers: { "if-match": tag } });
    const first = (await api("PUT", path, { token, body: TEXT })).headers.get("etag")!;
    const second = await put("two", first);
    expect(second.status).toBe(200);
    expect(refusal(await put("three", first))).toEqual(CHANGED);
    expect((await put("three", `"x", ${second.headers.get("etag")!}`)).status).toBe(200);
    expect((await put("four", "*")).status).toBe(200);
  });

  it("after a change of the guide: the reply stays under its name, and may be withdrawn, not changed", async () => {
    const { token, path, tour, reviewPath, guide } = await scene();
    await api("PUT", path, { token, body: TEXT });
    const next = await makeUser({ name: "Nora Next" });
    await Tour.updateOne({ _id: tour._id }, { createdById: next._id });
    const nora = await tokenOf(next);
    expect(refusal(await api("PUT", path, { token, body: TEXT }))).toEqual(NOT_GUIDE);
    expect(refusal(await api("DELETE", path, { token }))).toEqual(NOT_GUIDE);
    expect(refusal(await api("PUT", path, { token: nora, body: TEXT }))).toEqual(NOT_AUTHOR);
    const { json } = await api("GET", `${reviewPath}?include=reply`);
    expect(json!.review).toMatchObject({ reply: { ...TEXT, user: { name: guide.name } } });
    expect((await api("DELETE", path, { token: nora })).status).toBe(200);
    const own = await api("PUT", path, { token: nora, body: { text: "Nora here." } });
    expect(replyOf(own)).toMatchObject({
      text: "Nora here.",
      editedAt: null,
      user: { name: "Nora Next" },
    });
  });
});

describe("DELETE /api/reviews/{id}/reply", () => {
  it("withdraws the reply, whose text is gone then", async () => {
    const { token, path, reviewPath } = await scene();
    await api("PUT", path, { token, body: TEXT });
    const { status, json } = await api("DELETE", path, { token });
    expect([status, json]).toEqual([200, { message: "Reply deleted successfully" }]);
    expect((await api("GET", `${reviewPath}?include=reply`)).json!.review).toMatchObject({
      reply: null,
    });
    expect(JSON.stringify(await Reply.find().lean())).not.toContain(TEXT.text);
    expect(refusal(await api("DELETE", path, { token }))).toEqual(NO_REPLY);
  });

  it("makes its checks in their order", async () => {
    const { token, path, ann } = await scene();
    const unknown = `/api/reviews/${new Types.ObjectId().toString()}/reply`;
    expect(refusal(await api("DELETE", unknown))).toEqual(UNAUTHORIZED);
    expect(refusal(await api("DELETE", unknown, { token: ann }))).toEqual(NO_REVIEW);
    expect(refusal(await api("DELETE", path, { token: ann }))).toEqual(NOT_GUIDE);
    expect(refusal(await api("DELETE", path, { token }))).toEqual(NO_REPLY);
    await api("PUT", path, { token, body: TEXT });
    const headers = { "if-match": '"x"' };
    expect(refusal(await api("DELETE", path, { token, headers }))).toEqual(CHANGED);
    expect(await Reply.countDocuments({ text: TEXT.text })).toBe(1);
  });
});

describe("a reply", () => {
  it("is with its review when it is asked for, under an ETag that covers it, and else nowhere", async () => {
    const { token, path, reviewPath, tour, ann } = await scene();
    const plain = await api("GET", reviewPath);
    const lists = await list(tour);
    const tags = new Set<string>();
    const asked = async () => {
      const answer = await api("GET", `${reviewPath}?include=reply`);
      tags.add(answer.headers.get("etag")!);
      return answer.json!.review;
    };
    expect(await asked()).toEqual({ ...plain.json!.review, reply: null });
    const reply = replyOf(await api("PUT", path, { token, body: TEXT }));
    expect(await asked()).toEqual({ ...plain.json!.review, reply });
    await api("PUT", path, { token, body: { text: "two" } });
    await asked();
    await api("PATCH", reviewPath, { token: ann, body: { rating: 1 } });
    await asked();
    expect(tags.size).toBe(4);
    const last = [...tags].at(-1)!;
    const headers = { "if-none-match": last };
    expect((await api("GET", `${reviewPath}?include=reply`, { headers })).status).toBe(304);
    expect(Object.keys((await api("GET", reviewPath)).json!.review!).sort()).toEqual(REVIEW_FIELDS);
    expect(await list(tour)).toEqual(lists!.map((review) => ({ ...review, rating: 1 })));
  });

  it("goes with its review", async () => {
    const { token, path, reviewPath, ann } = await scene();
    await api("PUT", path, { token, body: TEXT });
    expect((await api("DELETE", reviewPath, { token: ann })).status).toBe(200);
    expect(await Reply.countDocuments()).toBe(0);
    expect(refusal(await api("PUT", path, { token, body: TEXT }))).toEqual(NO_REVIEW);
  });

  it("goes with the account of its author or of the review's, and no other", async () => {
    const { guide, guest, tour, review } = await scene();
    const others = [await makeUser(), await makeUser()];
    for (const user of others) await makeReply(guide, await makeReview(user, tour));
    const elsewhere = await makeTour();
    const kept = await makeReview(guest, elsewhere);
    await makeReply({ _id: elsewhere.createdById }, kept);
    await makeReply(guide, review);
    const erase = async ({ _id }: { _id: Types.ObjectId }) => {
      await deleteAccountOf(toCurrentUser((await User.findById(_id).lean())!));
      await continueDeletions();
    };
    await erase(others[0]!);
    expect(await Reply.countDocuments()).toBe(3);
    await erase(guide);
    expect(await Reply.distinct("_id")).toEqual([kept._id]);
    expect(await Review.countDocuments({ tourId: tour._id })).toBe(2);
    await erase(guest);
    expect(await Reply.countDocuments()).toBe(0);
  });

  it("is in the export of its author's data", async () => {
    const { guide, review, tour } = await scene();
    const { createdAt } = await makeReply(guide, review);
    expect((await exportOf(toCurrentUser(guide))).replies).toEqual([
      {
        reviewId: review._id.toString(),
        tourId: tour._id.toString(),
        text: "Thank you.",
        createdAt: createdAt.toISOString(),
        editedAt: null,
      },
    ]);
  });
});

describe("the e-mail about a reply", () => {
  const subjects = async () =>
    (await Notification.find({ kind: "account" }).lean<{ mail?: { subject: string } }[]>()).map(
      ({ mail }) => mail?.subject,
    );

  it("goes to the review's author, once an hour, and then of the text that stands", async () => {
    const { token, path, guest } = await scene();
    const put = (text: string) => api("PUT", path, { token, body: { text } });
    await put("one");
    expect(await subjects()).toEqual(["A reply to your review of Old Town Walk"]);
    const [mail] = await Notification.find({ kind: "account" }).lean<
      { owner: string; mail: { to: { email: string }; text: string; unsubscribeUrl: string } }[]
    >();
    expect(mail).toMatchObject({
      owner: guest._id.toString(),
      mail: { to: { email: guest.email } },
    });
    expect(mail!.mail.text).toContain("> one");
    expect(mail!.mail.text).toContain(mail!.mail.unsubscribeUrl);
    await expect.poll(() => Notification.countDocuments({ state: "captured" })).toBe(1);
    await put("two");
    await api("DELETE", path, { token });
    await put("three");
    await put("three");
    const later = { dueAt: { $gt: new Date(Date.now() + HOUR / 2) } };
    await expect.poll(() => Notification.countDocuments(later)).toBe(1);
    expect(await subjects()).toHaveLength(2);
    const waiting = await Notification.findOne(later).lean<{ mail: { text: string } }>();
    expect(waiting!.mail.text).toContain("> three");
  });

  test.each([
    ["wants none", () => User.updateMany({}, { replyMails: "none" })],
    ["has no account", ({ guest }) => User.deleteOne({ _id: guest._id })],
    ["has no address", ({ guest }) => User.updateOne({ _id: guest._id }, { $unset: { email: 1 } })],
    [
      "leads the tour by now",
      ({ guest, tour }) => Tour.updateOne({ _id: tour._id }, { createdById: guest._id }),
    ],
  ] satisfies [string, (of: Awaited<ReturnType<typeof scene>>) => unknown][])(
    "goes to nobody who %s",
    async (why, change) => {
      const of = await scene();
      await change(of);
      const token = why.startsWith("leads") ? of.ann : of.token;
      expect((await api("PUT", of.path, { token, body: TEXT })).status).toBe(200);
      expect(await subjects()).toEqual([]);
    },
  );
});
