import { describe, expect, it, test } from "vitest";
import { Review } from "#models/review";
import { User } from "#models/user";
import { call, sessionOf, tokenOf } from "../support/app";
import { makeBookedExplorer, makeReview, makeTour } from "../support/factories";
import { app, useApp } from "../support/shared-app";

// Text that is not UTF-8 is never stored as some other text.

useApp();

const latin1 = (text: string) => Buffer.from(text, "latin1");
/** Bytes that are not UTF-8. */
const NO_UTF_8: [string, Buffer][] = [
  ["Latin-1", latin1("caf\xe9")],
  ["a surrogate", latin1("x\xed\xa0\x80")],
];
const escaped = (bytes: Buffer) =>
  [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

async function scene() {
  const tour = await makeTour();
  const guest = await makeBookedExplorer(tour);
  return { tour, guest, tourId: tour._id.toString() };
}

describe.each(NO_UTF_8)("%s", (_, bytes) => {
  it("in a body of the API is not JSON", async () => {
    const { guest, tour, tourId } = await scene();
    const token = await tokenOf(guest);
    const raw = Buffer.concat([
      Buffer.from(`{"tourId":"${tourId}","rating":5,"comment":"`),
      bytes,
      Buffer.from('"}'),
    ]);
    const post = await call(app, "POST", "/api/reviews", { token, raw: new Uint8Array(raw) });
    expect([post.status, post.json]).toEqual([400, { error: "Missing required fields" }]);

    const review = await makeReview(guest, tour, { comment: "as it was" });
    const path = `/api/reviews/${review._id.toString()}`;
    const patch = await call(app, "PATCH", path, { token, raw: new Uint8Array(raw) });
    expect([patch.status, patch.json]).toEqual([400, { error: "No fields to update" }]);
    expect((await Review.find().lean()).map(({ comment }) => comment)).toEqual(["as it was"]);
  });

  test("in a form makes the form unreadable, as it is, escaped, or in a part", async () => {
    const { tour, guest } = await scene();
    const cookie = await sessionOf(guest);
    const form = "application/x-www-form-urlencoded";
    const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
    const parts = [
      latin1(`${part("rating")}5\r\n${part("comment")}`),
      bytes,
      latin1("\r\n--b--\r\n"),
    ];
    for (const [type, raw] of [
      [form, Buffer.concat([latin1("rating=5&comment="), bytes])],
      [`${form}; charset=iso-8859-1`, latin1(`rating=5&comment=${escaped(bytes)}`)],
      ["multipart/form-data; boundary=b", Buffer.concat(parts)],
    ] as const) {
      const options = { cookie, raw: new Uint8Array(raw), headers: { "content-type": type } };
      const answer = await call(app, "POST", `/tours/${tour.slug}`, options);
      expect([type, answer.status]).toEqual([type, 400]);
      expect(answer.text).toContain("The request could not be read");
    }
    expect(await Review.countDocuments()).toBe(0);
  });
});

test.each([
  ["as it is", "rating=5&comment=caf\u00e9 \ud83e\udded \ufffd"],
  ["escaped", "rating=5&comment=caf%C3%A9+%f0%9f%a7%ad+%EF%BF%BD"],
  ["with a percent sign that escapes nothing", "rating=5&comment=100%+%zz+caf%C3%A9"],
])("a form in UTF-8 is stored as it was sent: %s", async (_, form) => {
  const { tour, guest } = await scene();
  const raw = new Uint8Array(Buffer.from(form));
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const cookie = await sessionOf(guest);
  const answer = await call(app, "POST", `/tours/${tour.slug}`, { cookie, raw, headers: type });
  expect(answer.status).toBe(302);
  const [review] = await Review.find().lean();
  expect(review!.comment).toMatch(/^(caf\u00e9 \u{1f9ed} \ufffd|100% %zz caf\u00e9)$/u);
});

it("a field name that is not UTF-8 changes nothing", async () => {
  const { guest } = await scene();
  const answer = await call(app, "POST", "/me/account", {
    cookie: await sessionOf(guest),
    raw: new Uint8Array(latin1("intent=profile&image=&name=Jos%e9")),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  expect(answer.status).toBe(400);
  expect((await User.findById(guest._id).lean())!.name).toBe(guest.name);
});

test("a query is read, whatever its bytes; an id or a slug that is not UTF-8 finds nothing", async () => {
  for (const query of ["?q=caf%e9", "?q=%ff%fe&sort=%c0%af&stars=%ed%a0%80"])
    expect((await call(app, "GET", `/${query}`)).status).toBe(200);
  await makeTour({ slug: "caf" });
  const list = await call(app, "GET", "/api/reviews?tourId=caf%e9");
  expect([list.status, list.json]).toEqual([200, { reviews: [] }]);
  expect((await call(app, "GET", "/api/tours?slug=caf%e9")).status).toBe(404);
  expect((await call(app, "GET", "/tours/caf%e9")).status).toBe(404);
});

test("a page has characters of several bytes unbroken wherever they stand, and nothing added", async () => {
  const description = "\u{1F6F6}ë–".repeat(3_000);
  const tour = await makeTour({ description });
  const { text } = await call(app, "GET", `/tours/${tour.slug}`);
  expect(text).toContain(description);
  expect(text).not.toContain("\0");
});
