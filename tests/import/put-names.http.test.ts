import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { createServiceToken } from "~/accounts/tokens.server";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { call, words } from "../support/app";
import { INVISIBLE_NAMES, makeReview, makeTour, makeUser } from "../support/factories";
import { app, get, useApp } from "../support/shared-app";

useApp();

const put = async (path: string, body: object) => {
  const token = await createServiceToken("Platform");
  const id = new Types.ObjectId().toString();
  const { status, json } = await call<{ error?: string }>(app, "PUT", `${path}/${id}`, {
    token,
    body,
  });
  return { id, status, json };
};

describe("a name that the platform sends", () => {
  test.each(INVISIBLE_NAMES)("of %j is stored as none, and refused as a title", async (name) => {
    const user = await put("/api/users", { name, email: "ann@example.test" });
    expect([user.status, (await User.collection.findOne())!.name]).toEqual([201, ""]);
    const createdById = user.id;
    const tour = await put("/api/tours", { title: name, slug: "walk", createdById });
    expect([tour.status, tour.json!.error]).toEqual([400, "title: must not be empty"]);
  });

  test("is stored without what turns the line", async () => {
    const { id } = await put("/api/users", { name: "\u202EAnn\u2066 Bee", email: "a@b.test" });
    expect(await User.findById(id).lean()).toMatchObject({ name: "Ann Bee" });
    const tour = { title: "Old\u202E Town", slug: "walk", createdById: id };
    await put("/api/tours", { ...tour, location: "\u2067Kraków" });
    expect(await Tour.collection.findOne()).toMatchObject({
      title: "Old Town",
      location: "Kraków",
    });
  });
});

describe("a name that a platform has stored", () => {
  test.each([...INVISIBLE_NAMES, "\u202E"])("of %j is shown as none", async (name) => {
    const guide = await makeUser();
    const author = await makeUser();
    const tour = await makeTour({ createdById: guide._id, title: "Old Town" });
    await makeReview(author, tour, { comment: "A wonderful day on the river with friends." });
    const ids = { $in: [guide._id, author._id] };
    await User.collection.updateMany({ _id: ids }, { $set: { name } });
    await Tour.collection.updateOne({ _id: tour._id }, { $set: { title: name } });
    const page = await get(`/tours/${tour.slug}`);
    expect(words(page)).toContain("Untitled tour");
    expect(words(page)).toContain("An explorer");
    expect(page.text).toMatch(/"author":\{[^}]*"name":"An explorer"/);
    const { text } = await get(`/tours/${tour.slug}/reviews.atom`);
    expect(text).toContain("<author><name>An explorer</name></author>");
    expect(text).toContain("<title>Reviews of Untitled tour</title>");
  });
});

test("the titles of a feed isolate what turns the line", async () => {
  const tour = await makeTour({ title: "גן העיר (2)" });
  await makeReview(await makeUser({ name: "ליאת" }), tour, {
    comment: "A wonderful day on the river.",
    rating: 5,
  });
  const { text } = await get(`/tours/${tour.slug}/reviews.atom`);
  expect(text).toContain("<title>Reviews of \u2068גן העיר (2)\u2069</title>");
  expect(text).toContain(" by \u2068ליאת\u2069</title>");
  expect(text).toContain("<author><name>ליאת</name></author>");
});
