import { expect, it } from "vitest";
import { Review } from "#models/review";
import { Session } from "#models/session";
import { sessionOf } from "../support/app";
import { makeBookedExplorer, makeTour, makeUser } from "../support/factories";
import { app, get, post, useApp } from "../support/shared-app";
import { makeRequest } from "../support/world";

// docs/rules/review-requests.md, The page behind the link: as browsers and programs that look into e-mails use it.

useApp();

async function scene() {
  const tour = await makeTour({ title: "Night Walk" });
  const guest = await makeBookedExplorer(tour, { name: "Ann Lee", passwordHash: null });
  return { tour, guest, path: `/review/${await makeRequest(guest, tour)}` };
}

const chosen = (text: string) => /<input[^>]*checked=""[^>]*value="(\d)"/.exec(text)?.[1];

it("is opened with a star ticked, and neither reads nor begins a session", async () => {
  const { path } = await scene();
  const { status, headers, text } = await get(`${path}?rating=4`);
  expect(status).toBe(200);
  expect(headers.get("set-cookie")).toBeNull();
  expect(headers.get("cache-control")).toBe("private, no-store");
  expect(text).toContain("<h1>");
  expect(/value="4"[^>]*checked|checked[^>]*value="4"/.test(text)).toBe(true);
  expect(await Review.countDocuments()).toBe(0);
  expect(chosen((await get(`${path}?rating=9`)).text)).toBeUndefined();
});

it("posts by its form, which names no intent, and leads back to what readers see", async () => {
  const { path } = await scene();
  const words = { rating: "4", comment: "Herons\r\nat dusk " };
  for (let time = 0; time < 2; time++) {
    const { status, headers } = await post(path, words);
    expect([status, headers.get("location")]).toEqual([302, path]);
    expect(headers.get("set-cookie")).toBeNull();
  }
  expect(await Review.find().lean()).toMatchObject([{ rating: 4, comment: "Herons\nat dusk" }]);
  expect(await Session.countDocuments()).toBe(0);
  const { text } = await get(path);
  expect(text).toContain("Thank you, your review is live");
  expect(text).toContain("Change or delete it until");
  expect((await get(`${path}?change=1`)).text).toContain("Herons\nat dusk</textarea>");
});

it("keeps what was typed in a form that is refused", async () => {
  const { path } = await scene();
  const { status, text } = await post(path, { rating: "", comment: "Herons <b>" });
  expect(status).toBe(400);
  expect(text).toContain("Choose a rating from 1 to 5 stars.");
  expect(text).toContain("Herons &lt;b&gt;</textarea>");
  await post(path, { rating: "5", comment: "" });
  const second = await post(path, { rating: "1", comment: "Herons <b>" });
  expect(second.status).toBe(400);
  expect(second.text).toContain("You have already reviewed this tour");
  expect(second.text).toContain("Herons &lt;b&gt;");
});

it("leads from a link that works no more to the tour, and from an unknown one to all tours", async () => {
  const { guest } = await scene();
  const old = await makeTour();
  const expired = await makeRequest(guest, old, { expiresAt: new Date() });
  for (const [token, to] of [
    [expired, `/tours/${old.slug}`],
    ["x".repeat(43), "/"],
  ]) {
    const { status, text } = await get(`/review/${token}`);
    expect(status).toBe(404);
    expect(text).toContain("This link no longer works");
    expect(/<a class="button"[^>]* href="([^"]+)"/.exec(text)?.[1]).toBe(to);
  }
});

it("tells who is logged in as somebody else whose link it is, by a first name, and how to log out", async () => {
  const { path } = await scene();
  const cookie = await sessionOf(await makeUser({ name: "Otto" }));
  const { text } = await get(path, cookie);
  expect(text).toContain("Ann</bdi>");
  expect(text).not.toContain("Lee");
  expect(text).toContain('action="/logout"');
  const refused = await post(path, { rating: "1", comment: "Mine" }, cookie);
  expect(refused.status).toBe(403);
  expect(refused.text).toContain("Mine");
});

it("is in the log without its secret", async () => {
  const { path } = await scene();
  const { headers } = await get(`${path}?rating=4`);
  const id = headers.get("x-request-id")!;
  await expect.poll(() => app.log()).toContain(id);
  expect(app.log()).not.toContain(path.split("/").at(-1));
});
