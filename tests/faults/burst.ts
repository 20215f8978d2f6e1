import { readFile } from "node:fs/promises";
import { call, sessionOf, tokenOf, type App, confirmOperator } from "../support/app";
import { makeReview, makeUser } from "../support/factories";
import { ROUTES } from "../support/manifest";
import { addressOfPattern, CHANGES } from "../support/access-tables";
import { exchange, head, speak } from "../support/sockets";
import { say } from "../../scripts/lib/command";
import { makeWorld, type World } from "../support/world";
import type { PartReport } from "./report";
import { withApp } from "./support";

/** How much longer than an ordinary request one request may block the event loop, in milliseconds. */
const MOST_MS = 50;
/** The cheapest of this many attempts counts, because the process also does other work meanwhile. */
const TIMES = 3;
/** The sizes of a body and a head that are just accepted, in bytes. */
const BODY = 64 * 1024;
const HEAD = 15_000;

/** The bytes of a request; `body` is separate, so that the head can have its length. */
interface Sent {
  name: string;
  method: string;
  target: string;
  fields?: string[];
  body?: string | Buffer;
}

/** Anything that fits into 16 KiB of head and 64 KiB of body costs hardly more than an ordinary request. */
export default async function burst(report: PartReport): Promise<void> {
  if (process.platform !== "linux") return say("This part reads what Linux counts of a thread.");
  // Each log-in comes from an address of its own, so that none is refused without being read.
  await withApp({ TRUST_PROXY: "true", LOG_LEVEL: "info" }, async (app) => {
    const world = await makeWorld();
    for (let n = 0; n < 20; n++) await makeReview(await makeUser(), world.tour, { rating: 5 });
    const kinds = { heads: heads(world), bodies: await bodies(world) };
    for (const [kind, requests] of Object.entries(kinds)) {
      const costs: { name: string; ms: number }[] = [];
      for (const sent of requests) {
        const ordinary = await costOf(app, plain(sent));
        let ms = (await costOf(app, sent)) - ordinary;
        // A collection of garbage may have come into every attempt.
        if (ms > MOST_MS) ms = Math.min(ms, (await costOf(app, sent)) - ordinary);
        costs.push({ name: sent.name, ms });
        if (ms > MOST_MS) say(`  ${sent.name}: ${ms.toFixed(0)} ms`);
      }
      const [dearest] = costs.sort((a, b) => b.ms - a.ms);
      say(`  the dearest: ${dearest!.name}`);
      report.check(
        `${kind} as large as may be: the event loop's time beyond an ordinary one's, the most`,
        `${dearest!.ms.toFixed(0)} ms of ${costs.length} (under ${MOST_MS} ms)`,
        dearest!.ms < MOST_MS,
      );
    }
    await pipelined(report, app, world);
    const { status } = await call(app, "GET", "/healthz");
    report.check("the process afterwards", `answers ${status}`, status === 200);
  });
}

/** A path without its query, its most unusual part and its headers: what an honest client would have sent. */
const plain = ({ method, target, fields = [], body }: Sent): Sent => ({
  name: "",
  method,
  target: shortened(target),
  fields: fields.filter((field) => field.length < 500),
  // The intent and the beginning of a field, so that the same page is made.
  ...(body !== undefined && { body: body.slice(0, 100) }),
});

function shortened(target: string): string {
  if (target.length <= 500) return target;
  const path = target.split("?")[0]!;
  return path.length <= 500 ? path : `/${path.split("/")[1]!.slice(0, 20)}`;
}

/** How many milliseconds of processor time the main thread of the app's process has used so far. */
async function computed({ process: { pid } }: App): Promise<number> {
  const counted = await readFile(`/proc/${pid}/task/${pid}/schedstat`, "utf8");
  return Number(counted.split(" ")[0]) / 1e6;
}

let clients = 0;

function bytesOf({ method, target, fields = [], body }: Sent): (string | Buffer)[] {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  clients++;
  const from = `X-Forwarded-For: 2001:db8:${(clients >> 8).toString(16)}:${(clients & 255).toString(16)}::1`;
  const isFrom = fields.some((field) => field.startsWith("X-Forwarded-For"));
  return [
    head(method, target, "Connection: close", ...(isFrom ? [] : [from]), ...fields, ...length),
    ...(body === undefined || body.length === 0 ? [] : [body]),
  ];
}

async function costOf(app: App, sent: Sent): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < TIMES; time++) {
    const before = await computed(app);
    const { status } = await exchange(app, ...bytesOf(sent));
    least = Math.min(least, (await computed(app)) - before);
    if (status >= 500) throw new Error(`${sent.method} ${sent.name}: ${status}`);
  }
  return least;
}

const fill = (text: string, size: number) =>
  text.repeat(Math.floor(size / Buffer.byteLength(text)));

/** Text that causes trouble for some programs. */
const TEXTS = {
  letters: "a",
  spaces: " ",
  "words of one letter": "a ",
  lines: "\r\n",
  accents: "e\u0301\u0316\u0323",
  // This character becomes 18 characters in a normal form.
  ligatures: "\ufdfa",
  emoji: "👩‍👩‍👧‍👦",
  markup: "<b>&",
  ats: "a@a.",
  quotes: `"'\\`,
  addresses: "https://a.",
  // Texts that the parsers of single fields like.
  "addresses of reviews": `/reviews/${"a".repeat(24)}/`,
  "places on a page": "#review-",
  paths: "/a",
  digits: "1",
  dates: "2026-01-01T",
  "tags of states": '"a",',
};

/** Texts that no parser likes: put behind a repeated text, so that it is tried again from each place before. */
const END = "#\n.";

const escapes = (text: string, size: number) => {
  const escaped = encodeURIComponent(text);
  return escaped.repeat(Math.floor(size / escaped.length));
};

/** The text as often as it has room, in a form's body: only what has to be is escaped. */
const inForm = (text: string, size: number) =>
  fill(text.replace(/[%&+=\s]|[^\x20-\x7e]+/g, encodeURIComponent), size);

function heads(world: World): Sent[] {
  const { tour } = world;
  const deep = "a/".repeat(HEAD / 2);
  const paths = {
    "deep path": `/tours/${deep}`,
    "deep path that is not long": `/tours/${"a/".repeat(4_000)}`,
    "deep data": `/${deep}x.data`,
    "deep path of the API": `/api/reviews/${deep}`,
    "deep path of files": `/build/${deep}`,
    slashes: `/${"/".repeat(HEAD)}`,
    "steps back": `/${"a/../".repeat(HEAD / 5)}`,
    "long name": `/tours/${"a".repeat(HEAD)}`,
    "long name that fits": `/tours/${"a".repeat(8_000)}`,
    "long id": `/api/reviews/${"a".repeat(HEAD)}`,
    "escaped escapes": `/${"%25".repeat(HEAD / 3)}`,
    "escapes of no text": `/${"%ff".repeat(HEAD / 3)}`,
    "ligatures in the path": `/${escapes("\ufdfa", 8_000)}`,
    "words of secret paths": `/${"me/".repeat(HEAD / 3)}`,
    "secret paths": `/reset${"/reset".repeat(HEAD / 6)}`,
    "slashes of both kinds": `/${"\\/".repeat(HEAD / 2)}`,
    dots: `/${".".repeat(HEAD)}`,
    "many routes": `/me.data?_routes=${"root,".repeat(HEAD / 5)}`,
    "many indexes": `/?index${"&index".repeat(HEAD / 6)}`,
    "many parameters": `/?${"a&".repeat(HEAD / 2)}`,
    "many of a parameter": `/?${"q=a&".repeat(HEAD / 4)}`,
    "a long cursor": `/tours/${tour.slug}?after=${"5".repeat(HEAD)}`,
    "a long way back": `/login?redirectTo=/${"a/".repeat(HEAD / 2)}`,
    "a long way back from a page of one's own": `/me?${"a=/&".repeat(HEAD / 4)}`,
    "a list of a long id": `/api/reviews?tourId=${"a".repeat(HEAD)}`,
    "a tour of a long slug": `/api/tours?slug=${"a".repeat(HEAD)}`,
  };
  const searches = Object.entries(TEXTS).flatMap(([name, text]) => [
    { name: `search for ${name}`, method: "GET", target: `/?q=${escapes(text, HEAD)}` },
    { name: `address of ${name}`, method: "GET", target: `/${escapes(text, 8_000)}` },
    {
      name: `report of ${name}`,
      method: "GET",
      target: `/report?url=${escapes(text, HEAD - 100)}${encodeURIComponent(END)}`,
    },
  ]);
  const list = `/api/reviews?tourId=${tour._id.toString()}`;
  const review = `/api/reviews/${world.review._id.toString()}`;
  const many = (name: string, text: string) => `${name}: ${fill(text, HEAD)}`;
  const headers: [string, string, string, string[]][] = [
    ["cookies", "GET", "/", [many("Cookie", "a=b; ")]],
    ["a cookie of equals signs", "GET", "/", [many("Cookie", "=")]],
    ["a long session", "GET", "/me", [many("Cookie", "session=").replace(/session=$/, "x")]],
    ["a session of much", "GET", "/me", [`Cookie: session=${"a".repeat(HEAD)}`]],
    ["encodings", "GET", list, [many("Accept-Encoding", "gzip;q=0,")]],
    ["encodings of spaces", "GET", list, [`Accept-Encoding: x${" ".repeat(HEAD)}y`]],
    ["encodings of a page", "GET", "/", [many("Accept-Encoding", "br;q=0.1,")]],
    ["tags", "GET", list, [many("If-None-Match", 'W/"a",')]],
    ["tags of one review", "GET", review, [many("If-None-Match", '"a", ')]],
    ["tags that are no match", "DELETE", review, [many("If-Match", '"a",')]],
    ["an open tag", "DELETE", review, [`If-Match: "${"a".repeat(HEAD)}`]],
    ["a token", "GET", "/me", [`Authorization: Bearer ${"a".repeat(HEAD)}`]],
    ["spaces before a token", "DELETE", review, [`Authorization: Bearer${" ".repeat(HEAD)}x`]],
    ["proxies", "GET", "/", [many("X-Forwarded-For", "1.1.1.1, ")]],
    ["proxies of no address", "GET", "/", [many("X-Forwarded-For", "[:")]],
    ["a key", "POST", "/api/reviews", [`Idempotency-Key: ${"a".repeat(HEAD)}`]],
    ["languages", "GET", "/", [many("Accept-Language", "de;q=0.1,")]],
    ["kinds", "GET", "/", [many("Accept", "text/html;q=0.1,")]],
    ["ranges", "GET", "/favicon.svg", [`Range: bytes=${fill("0-1,", HEAD)}`]],
    ["dates", "GET", "/favicon.svg", [`If-Modified-Since: ${"1 ".repeat(HEAD / 2)}`]],
    ["an origin", "POST", "/login", [`Origin: http://${"a".repeat(HEAD)}`, "Content-Length: 0"]],
    ["fields", "GET", "/", Array.from({ length: 1_200 }, (_, n) => `x${n}: y`)],
  ];
  return [
    ...Object.entries(paths).map(([name, target]) => ({ name, method: "GET", target })),
    { name: "a deep path to post to", method: "POST", target: `/${deep}`, body: "" },
    { name: "a deep path of another method", method: "PROPFIND", target: `/${deep}` },
    ...searches,
    ...headers.map(([name, method, target, fields]) => ({ name, method, target, fields })),
    ...ROUTES.map(({ pattern }) => addressOfPattern(pattern, world)).flatMap((path) => [
      { name: `${path} with a long query`, method: "GET", target: `${path}?${fill("a=b&", HEAD)}` },
    ]),
  ];
}

const FORM = "Content-Type: application/x-www-form-urlencoded";
const MULTIPART = "Content-Type: multipart/form-data; boundary=b";
const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** The bodies in JSON as large as may be, beside those of one long field. */
const ODD_JSON = {
  "lists in lists": "[".repeat(BODY / 2) + "]".repeat(BODY / 2),
  "objects in objects": '{"a":'.repeat(BODY / 6) + "1" + "}".repeat(BODY / 6),
  "open brackets": "[".repeat(BODY),
  "many fields": `{${Array.from({ length: 6_000 }, (_, n) => `"${n}":1`).join()}}`,
  "a long number": `{"rating":${"1".repeat(BODY - 20)}}`,
  surrogates: `{"rating":5,"comment":"${fill("\\ud800", BODY - 40)}"}`,
  "no text": Buffer.alloc(BODY, 0xff),
};
const ODD_FORMS = { "many fields": fill("a&", BODY), escapes: fill("%41", BODY) };
const ODD_PARTS = {
  "many parts": `${fill(part("a", ""), BODY - 100)}--b--\r\n`,
  "a part of boundaries": `${part("a", fill("\r\n--", BODY - 200))}--b--\r\n`,
};

async function bodies(world: World): Promise<Sent[]> {
  const requests: Sent[] = [];
  for (const [name, { method, path, fields, sender, api, intent }] of CHANGES) {
    // A log-out and a deletion can only be done once, so their fields are those of other users.
    if (/logout|DELETE/.test(name)) continue;
    const user = sender && world[sender];
    const session = user && !api ? await sessionOf(user) : "";
    const token = user && api ? await tokenOf(user) : "";
    // Otherwise an operator's forms would only be asked for the password.
    if (user) await confirmOperator(user._id);
    const who = token ? `Authorization: Bearer ${token}` : `Cookie: ${session}`;
    const add = (type: string[], bodies: Record<string, string | Buffer>) => {
      for (const [kind, body] of Object.entries(bodies)) {
        const sent = { method, target: path(world), fields: [who, ...type], body };
        requests.push({ name: `${name}: ${kind}`, ...sent });
      }
    };
    const form = { ...(intent && { intent }), ...fields(world) };
    const size = BODY - 2_000;
    for (const [kind, text] of Object.entries(TEXTS))
      for (const field of Object.keys(form).filter((key) => key !== "intent")) {
        const what = `${field} of ${kind}`;
        if (api)
          add([], { [what]: JSON.stringify({ ...form, [field]: fill(text, size / 2) + END }) });
        else {
          const values = { ...form, [field]: inForm(text, size) + encodeURIComponent(END) };
          const pairs = Object.entries(values).map(([key, value]) => `${key}=${value}`);
          add([FORM], { [what]: pairs.join("&") });
        }
      }
    if (api) add([], ODD_JSON);
    else {
      add([FORM], ODD_FORMS);
      add([MULTIPART], ODD_PARTS);
    }
  }
  return requests;
}

/** Many heads at once over one connection cost as much as the same number sent separately. */
async function pipelined(report: PartReport, app: App, world: World): Promise<void> {
  const COUNT = 8;
  const cost = async (target: string) => {
    const requests = Array.from({ length: COUNT }, (_, n) =>
      head("GET", target, ...(n === COUNT - 1 ? ["Connection: close"] : [])),
    );
    const before = await computed(app);
    const { socket, answer } = speak(app, requests.join(""));
    await answer;
    await new Promise((resolve) => socket.once("close", resolve).resume());
    return (await computed(app)) - before;
  };
  const ordinary = await cost(`/tours/${world.tour.slug}`);
  const ms = (await cost(`/tours/${"a/".repeat(HEAD / 2)}`)) - ordinary;
  report.check(
    `${COUNT} deep paths over one connection: the same beyond as many tours' pages`,
    `${ms.toFixed(0)} ms (under ${MOST_MS * COUNT} ms)`,
    ms < MOST_MS * COUNT,
  );
}
