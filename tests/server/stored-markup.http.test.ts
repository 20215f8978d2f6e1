import mongoose from "mongoose";
import { beforeAll, describe, expect, it } from "vitest";
import { Notification } from "#models/notification";
import { oneLine } from "#models/visible";
import { call, mailsCookie, sessionOf, tokenOf, confirmOperator } from "../support/app";
import { PATTERNS } from "../support/manifest";
import { accessTo, addressOfPattern, CHANGES, readerOf } from "../support/access-tables";
import { app, useApp } from "../support/shared-app";
import { makeWorld, type World } from "../support/world";

// Everything that guests, reporters, guides and operators have written is text: in pages, their data and e-mails.

useApp({ emptied: "once" });

const SHOWN = `</title></script><script>alert("quokka")</script><img src=quokka onerror=alert(1)>" onfocus="quokka' &lt;b&gt;`;
/** With the control characters of terminals and old printers, which are shown as nothing. */
const MARKUP = `\u0000${SHOWN.replace("&lt;b", "&lt;\u001B\u0007b\u007F\u0090\u009B")}\u009F`;
const CONTROLS = /(?![\t\n\r])\p{Cc}/u;

/** The fields of any collection that hold what people, or a platform, have written. */
const WRITTEN = new Set([
  ...["name", "title", "description", "comment", "text", "words", "explanation", "reference"],
  ...["location", "browser", "included", "bring"],
]);
const LINKS = new Set(["image", "bookingUrl"]);

function rewritten(value: unknown, key = ""): unknown {
  if (typeof value === "string")
    return WRITTEN.has(key) ? MARKUP : LINKS.has(key) ? "javascript:alert(`quokka`)" : value;
  if (Array.isArray(value)) return value.map((one) => rewritten(one, key));
  if (value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [name, rewritten(one, name)]),
  );
}

async function rewriteAll(): Promise<void> {
  const db = mongoose.connection.db!;
  for (const { name } of await db.listCollections().toArray())
    for (const document of await db.collection(name).find().toArray())
      if (document.name !== undefined || !/session|limit|layout/i.test(name))
        await db
          .collection(name)
          .replaceOne({ _id: document._id }, rewritten(document) as Record<string, unknown>);
}

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  const written = { image: "x", bookingUrl: "x", location: "x", included: ["x"], bring: ["x"] };
  const meetingPoint = { text: "x", lat: 1, lng: 1 };
  const $set = { ...written, meetingPoint };
  await mongoose.connection.db!.collection("tours").updateOne({ _id: world.tour._id }, { $set });
  // Texts that are written through forms, so that they are also sent as e-mails.
  for (const [name, fields, by] of [
    ["POST /report", { words: MARKUP, name: "Rita", email: "rita@example.test" }, null],
    ["PUT /api/reviews/:id/reply", { text: MARKUP }, world.guide],
    ["POST /api/reviews", { comment: MARKUP }, world.booked],
    ["POST /operator/cases/:id/misuse", { explanation: MARKUP }, world.operator],
  ] as const) {
    const [, { method, path, body, api }] = CHANGES.find(([known]) => known === name)!;
    const cookie = by && !api ? await sessionOf(by) : undefined;
    if (by) await confirmOperator(by._id);
    const token = by && api ? await tokenOf(by) : undefined;
    const sent = await call(app, method, path(world), { cookie, token, ...body(world, fields) });
    expect([name, sent.status]).toEqual([name, expect.toSatisfy((at: number) => at < 400)]);
  }
  await rewriteAll();
  const open = await call(app, "GET", `/operator/cases/${world.cases.open}?decision=remove`, {
    cookie: await operatorCookie(),
  });
  const carried = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(open.text)![1]!;
  const decided = await call(app, "POST", `/operator/cases/${world.cases.open}`, {
    cookie: await operatorCookie(),
    raw: new URLSearchParams({
      version: carried("version"),
      tag: carried("tag"),
      reports: carried("reports"),
      appeals: "0",
      action: "remove",
      ground: "order",
      explanation: MARKUP,
      reference: MARKUP,
    }),
  });
  expect(decided.status).toBe(302);
  await rewriteAll();
});

async function operatorCookie(): Promise<string> {
  const cookie = await sessionOf(world.operator);
  await confirmOperator(world.operator._id);
  return cookie;
}

function expectOnlyText(html: string): void {
  expect(html).not.toMatch(/<img src=quokka|<script>alert/);
  expect(html).not.toMatch(/(href|src|action)="\s*javascript:/i);
  const outside = html.replace(/<script\b[^>]*>.*?<\/script>/gs, "");
  expect(outside).not.toMatch(/" onfocus="/);
  expect(html).not.toMatch(CONTROLS);
}

/** The patterns of the pages that show it at all. */
const seen = new Set<string>();

describe.each(PATTERNS)("%s", (pattern) => {
  it("shows what people have written as text", async () => {
    const { pages = {} } = accessTo(pattern);
    const reader = readerOf(pattern);
    const cookie = reader === "operator" ? await operatorCookie() : await sessionOf(world[reader]);
    const paths = new Set([addressOfPattern(pattern, world)]);
    for (const { address } of Object.values(pages))
      if (address !== undefined)
        paths.add(typeof address === "string" ? address : await address(world));
    for (const path of paths)
      for (const who of [cookie, undefined]) {
        const { headers, text, status } = await call(app, "GET", path, { cookie: who });
        expect(status).toBeLessThan(500);
        if (text.includes("&lt;img src=quokka")) seen.add(pattern);
        if (headers.get("content-type")?.startsWith("text/html")) expectOnlyText(text);
        else {
          expect(headers.get("x-content-type-options")).toBe("nosniff");
          expect(text).not.toMatch(
            /application\/json/.test(headers.get("content-type")!) ? /\0/ : CONTROLS,
          );
        }
      }
  });
});

it("is on the pages of what people write", () => {
  const written = ["/", "/tours/:slug", "/guides/:id", "/me", "/guide", "/reviews/:id", "/report"];
  const decided = ["/cases/:token", "/sanctions/:token", "/operator", "/operator/cases/:id"];
  expect([...seen]).toEqual(expect.arrayContaining([...written, ...decided]));
});

it("structured data holds it as it is shown", async () => {
  const { text } = await call(app, "GET", `/tours/${world.tour.slug}`);
  const found = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  expect(found.length).toBeGreaterThan(0);
  const [product] = found.map(([, json]) => JSON.parse(json!) as Record<string, unknown>);
  expect(product).toMatchObject({
    name: oneLine(MARKUP),
    description: SHOWN,
    review: [{ reviewBody: SHOWN, author: { name: oneLine(MARKUP) } }],
  });
  expect(product).not.toHaveProperty("image");
});

it("e-mails hold it as text", async () => {
  await expect.poll(() => Notification.countDocuments({ state: "pending" })).toBe(0);
  const mails = await Notification.find({ state: "captured" }).lean();
  let withMarkup = 0;
  for (const { _id } of mails) {
    const { status, text } = await call(app, "GET", `/dev/mail/${_id.toString()}`, {
      cookie: mailsCookie(),
    });
    expect(status).toBe(200);
    expectOnlyText(text);
    if (text.includes("&lt;img src=quokka")) withMarkup++;
  }
  expect(withMarkup).toBeGreaterThan(3);
});
