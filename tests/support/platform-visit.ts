import { mongo } from "mongoose";
import { checkRatings, rebuildRatings } from "~/store/reviews/ratings.server";
import { exportData } from "~/services/accounts/personal-data.server";
import { call, logIn, sessionOf, tokenOf, type Answer, type App } from "./app";
import { mailsCookie } from "./captured-mails";
import { PASSWORD } from "./factories";
import { ANN, COLLECTIONS, DORA, GITA, NAMELESS, REVIEWS, TOURS } from "./platform";

/** The fields of the platform's documents that the visit changes, or null for a whole document. */
const CHANGED: Record<string, (document: mongo.Document) => string[] | null> = {
  tours: () => ["avgRating", "reviewCount", "ratingCounts", "ratingsVersion"],
  reviews: ({ userId, helpfulVotes }) => {
    if (DORA._id.equals(userId as mongo.ObjectId)) return null;
    if (!ANN._id.equals(userId as mongo.ObjectId)) return [];
    // What the visit has posted itself has no field of the platform.
    return helpfulVotes ? ["rating", "comment", "editedAt", "verified"] : null;
  },
  users: ({ _id }) => {
    if (DORA._id.equals(_id as mongo.ObjectId)) return null;
    if (ANN._id.equals(_id as mongo.ObjectId)) return ["name", "image"];
    return NAMELESS._id.equals(_id as mongo.ObjectId) ? ["reviewMails"] : [];
  },
};

/**
 * The bytes of everything that the visit must not change: every document of the platform in hex, by collection and
 * id, without the fields that the visit changes; and every index of the platform.
 */
export async function foreignBytes(db: mongo.Db): Promise<Record<string, string>> {
  const bytes: Record<string, string> = {};
  for (const name of COLLECTIONS) {
    for await (const document of db.collection(name).find({}, { promoteValues: false })) {
      const changed = CHANGED[name] ? CHANGED[name](document) : [];
      if (!changed) continue;
      const key = `${name} ${String(document._id)}`;
      for (const field of changed) delete document[field];
      bytes[key] = Buffer.from(mongo.BSON.serialize(document)).toString("hex");
    }
    for (const index of await db.collection(name).indexes()) {
      const { name: indexName } = index as { name: string };
      if (isForeignIndex(indexName)) bytes[`${name} index ${indexName}`] = JSON.stringify(index);
    }
  }
  return bytes;
}

/** Our own have our name in theirs. */
const isForeignIndex = (name: string) => !name.startsWith("tourReviews.");

type Body = {
  error?: string;
  reviews?: { id: string; rating: unknown }[];
  review?: { id: string };
};

/**
 * Uses every page and operation of `app`, which serves a platform's database: without a log-in, as an explorer and as
 * two guides. Mongoose is connected to that database. Returns a line for every unexpected answer, and how many
 * answers there were.
 */
export async function visitPlatform(
  app: App,
  own: { _id: mongo.ObjectId },
): Promise<{ wrong: string[]; answers: number }> {
  const wrong: string[] = [];
  let answers = 0;
  const expectStatus = async (
    expected: number,
    method: string,
    path: string,
    options?: Parameters<typeof call>[3],
  ): Promise<Answer<Body>> => {
    const answer = await call<Body>(app, method, path, options);
    answers++;
    if (answer.status !== expected)
      wrong.push(
        `${method} ${path}: ${answer.status} instead of ${expected} ${answer.text.slice(0, 200)}`,
      );
    return answer;
  };
  const form = (fields: Record<string, string>) => new URLSearchParams(fields);

  const cookies = [
    undefined,
    await logIn(app, ANN.email),
    await logIn(app, GITA.email),
    await sessionOf(NAMELESS),
  ];
  const [, ann, , nameless] = cookies;
  const token = await tokenOf(ANN);
  const tours = Object.entries(TOURS).map(([oddity, tour]) => ({
    oddity,
    id: tour._id.toHexString(),
    path: `/tours/${encodeURIComponent(slugOf(tour))}`,
  }));

  for (const cookie of cookies) {
    for (const sort of ["best", "reviewed", "newest"])
      for (const page of ["1", "2", "3"])
        await expectStatus(200, "GET", `/?sort=${sort}&page=${page}`, { cookie });
    for (const { path } of tours) await expectStatus(200, "GET", path, { cookie });
  }
  for (const words of [
    "walk",
    "gita",
    "undefined",
    "rich",
    "%00",
    "%00walk%00",
    "%F0%9F%A7%AD",
    "(",
  ])
    await expectStatus(200, "GET", `/?q=${words}`);
  for (const query of [
    "sort=highest",
    "sort=lowest",
    "stars=4",
    "comments=1",
    "stars=5&sort=lowest",
    "after=0.0.x",
  ])
    await expectStatus(200, "GET", `${tours[0]!.path}?${query}`);
  for (const cookie of cookies.slice(1))
    for (const path of [
      "/me",
      "/me/account",
      "/me/account/delete",
      "/me/data.json",
      "/guide",
      "/guide/mail",
    ])
      await expectStatus(200, "GET", path, { cookie });

  const ids = new Set(REVIEWS.map(({ _id }) => _id.toHexString()));
  for (const { id, oddity } of tours) {
    await expectStatus(200, "GET", `/api/tours/${id}`);
    const { json } = await expectStatus(200, "GET", `/api/reviews?tourId=${id}`);
    if (oddity === "nothing" && !json?.reviews?.every((review) => ids.delete(review.id)))
      wrong.push("the list has other reviews");
  }
  if (ids.size > 0) wrong.push(`the list lacks ${[...ids].join(", ")}`);

  const ownPath = `/reviews/${own._id.toHexString()}`;
  for (const page of ["edit", "delete"])
    await expectStatus(200, "GET", `${ownPath}/${page}`, { cookie: ann });
  await expectStatus(200, "PATCH", `/api${ownPath}`, { token, body: { comment: "Mended" } });
  await expectStatus(200, "PATCH", `/api${ownPath}`, { token, body: { rating: 4 } });
  const posted: string[] = [];
  for (const { id, oddity } of tours) {
    const isReviewed = oddity === "a date as text";
    const { json } = await expectStatus(isReviewed ? 400 : 201, "POST", "/api/reviews", {
      token,
      body: { tourId: id, rating: 5, comment: oddity },
    });
    if (json?.review) posted.push(json.review.id);
  }
  for (const id of posted)
    await expectStatus(200, "PATCH", `/api/reviews/${id}`, { token, body: { rating: 2 } });
  for (const id of posted.slice(0, 8))
    await expectStatus(200, "DELETE", `/api/reviews/${id}`, { token });
  for (const { id } of tours) await expectStatus(200, "GET", `/api/tours/${id}`);

  await expectStatus(200, "GET", "/dev/mail", { cookie: mailsCookie() });
  await expectStatus(302, "POST", "/guide/mail", {
    cookie: nameless,
    raw: form({ reviewMails: "daily" }),
  });
  await expectStatus(302, "POST", "/me/account", {
    cookie: ann,
    raw: form({ intent: "profile", name: "Ann Again", image: "" }),
  });
  const dora = await logIn(app, DORA.email);
  await expectStatus(302, "POST", "/me/account/delete", {
    cookie: dora,
    raw: form({ password: PASSWORD }),
  });

  for (const user of [ANN, GITA])
    await exportData({ id: user._id.toHexString(), name: "", email: user.email, image: null });
  await rebuildRatings();
  const mismatches = await checkRatings();
  if (mismatches.length > 0) wrong.push(`the ratings differ: ${JSON.stringify(mismatches)}`);
  const errors = app
    .log()
    .split("\n")
    .filter((line) => /"level":(50|60)/.test(line));
  wrong.push(...errors);
  return { wrong, answers };
}

/** The address of a tour with an impossible slug has its id in the slug's place. */
function slugOf({ _id, slug }: { _id: mongo.ObjectId; slug?: unknown }): string {
  return typeof slug === "string" && !/^\.\.$|%2F/.test(slug) ? slug : _id.toHexString();
}
