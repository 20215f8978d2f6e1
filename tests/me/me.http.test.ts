import { describe, expect, it } from "vitest";
import { EDIT_WINDOW_MS } from "~/infra/review-limits";
import { logIn, shown, title } from "../support/app";
import {
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
  PASSWORD,
} from "../support/factories";
import { app, get, post, useApp } from "../support/shared-app";

useApp();
const NOW = new Date("2026-05-20T12:00:00Z");
const before = (ms: number) => new Date(NOW.getTime() - ms);

describe("visitors who are not logged in", () => {
  const MINE = ["/me", "/me/account", "/me/account/delete", "/me/account?tab=1"];
  it.each(MINE)("are sent from %s to the log-in page, and back", async (path) => {
    const answers = [await get(path)];
    // All other pages have forms.
    if (path !== "/me") answers.push(await post(path, { intent: "profile", password: PASSWORD }));
    for (const { status, headers } of answers)
      expect([status, headers.get("location")]).toEqual([
        302,
        `/login?redirectTo=${encodeURIComponent(path)}`,
      ]);
  });

  it("come back to the page with the link when they request their data", async () => {
    const answer = await get("/me/data.json");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/login?redirectTo=%2Fme%2Faccount");
    expect(answer.text).toBe("");
  });

  it("come back to the page, not to its data, after a script's request", async () => {
    const answer = await get("/me.data");
    expect(answer.text).toContain('/login?redirectTo=%2Fme"');
  });
});

describe("my reviews", () => {
  it("show the tours to review, the reviews, and what can be done with them", async () => {
    const [waiting, fresh, old] = [
      await makeTour({ title: "Waiting & <Walk>" }),
      await makeTour({ title: "Fresh Walk" }),
      await makeTour({ title: "Old Walk" }),
    ];
    const ann = await makeBookedExplorer(waiting);
    const freshReview = await makeReview(ann, fresh, {
      createdAt: new Date(Date.now() - 30 * 60_000),
      comment: "<script>alert(1)</script>",
    });
    const oldReview = await makeReview(ann, old, { createdAt: before(EDIT_WINDOW_MS) });
    const bobs = await makeReview(await makeUser(), fresh, { comment: "By Bob" });

    const page = await get("/me", await logIn(app, ann.email));

    expect([page.status, title(page)]).toEqual([200, "My reviews · Tour Reviews"]);
    expect(page.text).toContain(`href="/tours/${waiting.slug}#write"`);
    expect(shown(page)).toContain("Write a review of Waiting &amp; &lt;Walk&gt;");
    for (const stars of [1, 2, 3, 4, 5])
      expect(page.text).toContain(`href="/tours/${waiting.slug}?rating=${stars}#write"`);
    expect(
      shown(page).match(/You can edit this until (today|tomorrow), \d\d:\d\d UTC/g),
    ).toHaveLength(1);
    expect(shown(page).match(/The 24 hours for editing are over/g)).toHaveLength(1);
    for (const { _id } of [freshReview, oldReview])
      expect(page.text).toContain(`href="/reviews/${_id.toString()}"`);
    expect(page.text).toContain(`href="/reviews/${freshReview._id.toString()}/edit"`);
    expect(page.text).toContain(`href="/reviews/${freshReview._id.toString()}/delete"`);
    expect(page.text).not.toContain(`href="/reviews/${oldReview._id.toString()}/edit"`);
    expect(page.text).toContain(`href="/reviews/${oldReview._id.toString()}/delete"`);
    expect(page.text).not.toContain("<script>alert");
    expect(page.text).not.toContain(bobs._id.toString());
    expect(page.text).not.toContain("By Bob");
  });

  it("to write are counted in the navigation of every page, up to nine", async () => {
    const guide = await makeUser();
    const ann = await makeUser();
    const cookie = await logIn(app, ann.email);
    const number = async () => {
      const { text } = await get("/nowhere", cookie);
      return /My reviews<\/span><span class="badge"><span>([^<]*)</.exec(text)?.[1];
    };
    expect(await number()).toBeUndefined();
    for (let n = 1; n <= 10; n++) {
      await makeBooking(ann, await makeTour({ createdById: guide._id }));
      if (n !== 5) continue;
      expect(await number()).toBe("5");
    }
    expect(await number()).toBe("9+");
  });

  it("start with the rating that the form's address names, if it is valid", async () => {
    const tour = await makeTour();
    const cookie = await logIn(app, (await makeBookedExplorer(tour)).email);
    const chosen = async (rating: string) => {
      const { text } = await get(`/tours/${tour.slug}?rating=${rating}`, cookie);
      const radios = [...text.matchAll(/<input[^>]*name="rating"[^>]*>/g)].map(([radio]) => radio);
      expect(radios).toHaveLength(5);
      return radios.flatMap((radio) =>
        /checked/.test(radio) ? [/value="(.)"/.exec(radio)![1]] : [],
      );
    };
    expect(await chosen("4")).toEqual(["4"]);
    for (const none of ["0", "6", "44", "4.5", "x", ""]) expect(await chosen(none)).toEqual([]);
  });

  it("come after the bookings of future tours", async () => {
    const tour = await makeTour({ title: "Coming Walk" });
    const ann = await makeUser();
    const cookie = await logIn(app, ann.email);
    expect(shown(await get("/me", cookie))).not.toContain("Coming up");
    const date = new Date(Date.now() + EDIT_WINDOW_MS);
    await makeBooking(ann, tour, { status: "CONFIRMED", date });
    const page = await get("/me", cookie);
    expect(shown(page)).toMatch(/Coming up ?Coming Walk ?You are booked for/);
    expect(page.text).toContain(`href="/tours/${tour.slug}"`);
    expect(page.text.toLowerCase()).toContain(`datetime="${date.toISOString().toLowerCase()}"`);
  });

  it("say so when there are none, and lead to tours and to bookings with another address", async () => {
    const ann = await makeUser();
    const cookie = await logIn(app, ann.email);
    const page = await get("/me", cookie);
    expect(shown(page)).toContain("You have not reviewed a tour yet.");
    expect(shown(page)).not.toContain("Waiting for your review");
    expect(page.text).toMatch(/<a [^>]*href="\/"[^>]*>See all tours<\/a>/);
    const [, help] = /<section[^>]*aria-labelledby="other-address"(.*?)<\/section>/s.exec(
      page.text,
    )!;
    expect(shown({ text: help! })).toContain("Booked with another address?");
    for (const part of [ann.email, 'href="/reset"', 'href="/me/account#address"'])
      expect(help).toContain(part);

    await makeBooking(ann, await makeTour());
    expect((await get("/me", cookie)).text).not.toContain("other-address");
  });
});
