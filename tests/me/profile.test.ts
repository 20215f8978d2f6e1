import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { findUser } from "~/accounts/users.server";
import { updateProfile } from "~/me/profile.server";
import { listReviews } from "~/reviews/list/list.server";
import { User } from "#models/user";
import { listedReviews } from "../support/services";
import { useDatabase } from "../support/database";
import { makeReview, makeTour, makeUser } from "../support/factories";

useDatabase();

/** The current user, as routes pass it on. */
const current = async (user: { _id: Types.ObjectId }) => (await findUser(user._id.toString()))!;

describe("the profile", () => {
  test("takes a name and a picture, which the reviews show at once", async () => {
    const tour = await makeTour();
    const ann = await makeUser({ name: "Ann" });
    await makeReview(ann, tour);
    await listReviews(tour._id.toString());

    const image = "https://img.example.test/ann.png?size=2";
    await updateProfile(await current(ann), { name: "  Ann  Green ", image: ` ${image} ` });

    expect(await findUser(ann._id.toString())).toMatchObject({ name: "Ann Green", image });
    const reviews = await listedReviews(tour._id.toString());
    expect(reviews[0]!.user).toEqual({ name: "Ann Green", image });
  });

  test("takes an empty picture as none, keeps one of the platform, and leaves everything else alone", async () => {
    const image = "/pictures/ann.png";
    const ann = await makeUser({ image });
    await User.collection.updateOne({ _id: ann._id }, { $set: { platform: "field" } });
    await updateProfile(await current(ann), { name: "Ann", image });
    expect(await current(ann)).toMatchObject({ name: "Ann", image });
    await updateProfile(await current(ann), { name: "Ann", image: " " });
    expect(await User.collection.findOne({ _id: ann._id })).toEqual({
      ...ann,
      name: "Ann",
      image: null,
      platform: "field",
    });
  });

  test("drops from a name what turns or hides text, and keeps what scripts and emoji need", async () => {
    const ann = await makeUser();
    for (const [typed, name] of [
      ["Ann\u202Enwod\u202C \u2066x\u2069", "Annnwod x"],
      ["A\u200Bn\uFEFFn\u0000 \u2028Green", "Ann Green"],
      [
        "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645",
        "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645",
      ],
      ["Ann \u{1F469}\u200D\u{1F680}", "Ann \u{1F469}\u200D\u{1F680}"],
    ] as const) {
      await updateProfile(await current(ann), { name: typed, image: "" });
      expect(await current(ann)).toMatchObject({ name });
    }
    for (const name of ["\u202E", "\u200D\u200C", "\u3164", "\u0301"])
      await expect(updateProfile(await current(ann), { name, image: "" })).rejects.toMatchObject({
        fields: { name: "Enter your name." },
      });
  });

  test.each([
    ["a script", "javascript:alert(1)"],
    ["with a password", "https://ann:secret@img.example.test/ann.png"],
    ["too long", "https://img.example.test/".padEnd(2_049, "a")],
  ])("refuses a picture that is %s", async (_, image) => {
    const user = await current(await makeUser());
    const refusal = updateProfile(user, { name: "Ann", image });
    await expect(refusal).rejects.toMatchObject({ fields: { image: expect.any(String) } });
  });
});
