import type { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { EDIT_WINDOW_MS } from "~/lib/review-limits";
import { call, logIn, shown, title } from "../support/app";
import {
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { app, get, useApp } from "../support/shared-app";

useApp();
const NOW = new Date("2026-05-20T12:00:00Z");
const before = (ms: number) => new Date(NOW.getTime() - ms);

test("a visitor is led to the log-in, and back to the page, not to its data", async () => {
  for (const [path, back] of [
    ["/me/account?tab=1", "/me/account?tab=1"],
    // The page with the link.
    ["/me/data.json", "/me/account"],
  ] as const) {
    const { status, headers, text } = await get(path);
    const location = `/login?redirectTo=${encodeURIComponent(back)}`;
    expect([status, headers.get("location"), text]).toEqual([302, location, ""]);
  }
  expect((await get("/me.data")).text).toContain('/login?redirectTo=%2Fme"');
});

test("a link in an e-mail that does not work says why, and what to do", async () => {
  for (const path of ["/cases", "/receipts", "/sanctions", "/absences", "/unsubscribe"]) {
    const page = await get(`${path}/nope`);
    expect(page.status, path).toBe(404);
    expect(title(page), path).toContain("This link no longer works");
    expect(shown(page), path).toContain("open the whole link from our e-mail");
    expect(shown(page), path).not.toContain("Page not found");
    expect(page.text, path).not.toContain('role="search"');
  }
});

test("a review that is deleted from the own ones leads back to these, and to nowhere else", async () => {
  const tour = await makeTour();
  const ann = await makeBookedExplorer(tour);
  const cookie = await logIn(app, ann.email);
  for (const [back, leadsTo] of [
    ["/me?written=2#written-1", "/me?written=2#written-1"],
    ["/guide", `/tours/${tour.slug}`],
    ["//other.example/me", `/tours/${tour.slug}`],
  ] as const) {
    const { _id } = await makeReview(ann, tour);
    const path = `/reviews/${_id.toString()}/delete`;
    const asked = await get(`${path}?back=${encodeURIComponent(back)}`, cookie);
    expect(asked.text.includes('name="back"')).toBe(back === leadsTo);
    const raw = new URLSearchParams({ back });
    const { headers } = await call(app, "POST", path, { cookie, raw });
    expect(headers.get("location")).toBe(leadsTo);
  }
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
    await makeReview(await makeUser(), fresh, { comment: "By Bob" });

    const page = await get("/me", await logIn(app, ann.email));

    expect([page.status, title(page)]).toEqual([200, "Your reviews · Tour Reviews"]);
    expect(page.text).toContain(`href="/tours/${waiting.slug}#write"`);
    expect(shown(page)).toContain("Write a review of Waiting &amp; &lt;Walk&gt;");
    for (const stars of [1, 2, 3, 4, 5])
      expect(page.text).toContain(`href="/tours/${waiting.slug}?rating=${stars}#write"`);
    expect(
      shown(page).match(/You can edit this until \d\d:\d\d (today|tomorrow) \(UTC\)/g),
    ).toHaveLength(1);
    expect(shown(page).match(/Too late to edit \(24 hours\)/g)).toHaveLength(1);
    const linksOf = ({ _id }: { _id: Types.ObjectId }) =>
      [...page.text.matchAll(new RegExp(`href="/reviews/${_id.toString()}([^"#]*)"`, "g"))]
        .map(([, rest]) => rest!.split("?")[0])
        .sort();
    expect(linksOf(freshReview)).toEqual(["", "/delete", "/edit", "/receipt"]);
    expect(linksOf(oldReview)).toEqual(["", "/delete", "/receipt"]);
    expect(page.text).not.toContain("<script>alert");
    expect(page.text).not.toContain("By Bob");
  });

  it("to write are counted in the navigation of every page, up to nine", async () => {
    const guide = await makeUser();
    const ann = await makeUser();
    const cookie = await logIn(app, ann.email);
    const number = async () => {
      const { text } = await get("/nowhere", cookie);
      return /Your reviews<\/span><span class="badge"><span>([^<]*)</.exec(text)?.[1];
    };
    const book = async (count: number) => {
      for (let n = 0; n < count; n++)
        await makeBooking(ann, await makeTour({ createdById: guide._id }));
    };
    expect(await number()).toBeUndefined();
    await book(9);
    expect(await number()).toBe("9");
    await book(1);
    expect(await number()).toBe("9+");
  });

  it("start with the rating that the form's address names, if it is valid", async () => {
    const tour = await makeTour();
    const cookie = await logIn(app, (await makeBookedExplorer(tour)).email);
    const chosen = async (rating: string) => {
      const { text } = await get(`/tours/${tour.slug}?rating=${rating}`, cookie);
      const radios = text.match(/<input[^>]*name="rating"[^>]*>/g)!;
      expect(radios).toHaveLength(5);
      return radios.filter((radio) => /checked/.test(radio)).join();
    };
    expect(await chosen("4")).toMatch(/^[^>]*value="4"[^>]*>$/);
    for (const none of ["0", "6", "4.5", ""]) expect(await chosen(none)).toBe("");
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
