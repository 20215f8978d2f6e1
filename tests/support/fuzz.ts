import { setTimeout as sleep } from "node:timers/promises";
import { unsubscribeUrl } from "~/mail/mail-settings.server";
import { call, sessionOf, tokenOf, type App } from "./app";
import { PASSWORD, random } from "./factories";
import { isApi } from "./manifest";
import { ANSWERS } from "./openapi";
import { speak, type RawAnswer } from "./sockets";
import { makeWorld } from "./world";

// Requests that no client of ours would send, written to sockets byte for byte: odd HTTP, and odd addresses and forms of
// pages. Values of the API's fields and parameters are left to Schemathesis (tests/faults/fuzz.ts). The same seed gives
// the same requests, except for the ids and credentials of their world.

/** The ids and credentials in the requests, by the placeholders that stand for them. */
type Words = Record<
  "TOUR" | "SLUG" | "REVIEW" | "TOKEN" | "COOKIE" | "LEADER" | "UNSUBSCRIBE",
  string
>;

interface FuzzRequest {
  bytes: Buffer;
  method: string;
  target: string;
  /** The request violates HTTP itself, or leaves the connection open: no answer, or Node's own, is fine. */
  malformed: boolean;
}

const LONG = "a".repeat(6_000);

/** The words of a text, as they stand there. */
const wordsOf = (text: string) => text.trim().split(/\s+/);

/** Names, ids and values that mean something to JavaScript, MongoDB, a path or a decoder. */
const ODD_WORDS = [
  ...["", LONG, "[object Object]", "\u202e", "${7*7}"],
  ...wordsOf(String.raw`
    0 -1 x null undefined NaN true %00 % %zz __proto__ constructor prototype toString hasOwnProperty
    $where $gt _id %ff%fe %E0%A4%A %C0%AE%C0%AE %ED%A0%80 ..%2f..%2fetc%2fpasswd ../.. %2e%2e 1e309
    9007199254740993 0x10 -0 99999999999999999999999 1.5 ٣ %F0%9F%A7%AD (((((((((((a*)*)*
    ^.*$ \ '"-- <script>alert(1)</script> {{7*7}} 000000000000000000000000 ffffffffffffffffffffffff
    ZZZZZZZZZZZZZZZZZZZZZZZZ é 🧭 a%0d%0aSet-Cookie:%20evil=1 [] {} {"$gt":""} a/b a;b １
    0001-01-01T00:00:00Z 9999-12-31T23:59:59-14:00 %2B275760-09-13T00:00:00.000Z 1e400
    5_-62135596800000_ffffffffffffffffffffffff 3.5_8640000000000000_ffffffffffffffffffffffff`),
];

const PATHS = wordsOf(`
  /api/reviews /api/reviews?tourId=TOUR /api/reviews/REVIEW /api/openapi.json /api /api/ODD
  /api//reviews /api/reviews?ODD=ODD /API/Reviews /api/reviews.data /api/ODD.data /api/reviews?_data=ODD /api/reviews?_data=root
  /%61pi/reviews /api/reviews/REVIEW/ODD /healthz /livez /healthz?_data=root / /?q=ODD
  /?sort=ODD&page=ODD /ODD /ODD/ODD /tours/SLUG /tours/ODD /tours/SLUG?stars=ODD&sort=ODD&after=ODD
  /tours/SLUG?q=ODD&lang=ODD /tours/SLUG?comments=ODD&rating=ODD /tours/SLUG/reviews?stars=ODD&after=ODD
  /me?written=ODD /me?waiting=ODD /me/account?tokens=ODD /sitemap/ODD.xml
  /guide?tours=ODD&open=ODD&upcoming=ODD&past=ODD /guide?tour=ODD&stars=ODD&after=ODD
  /tours/SLUG.data /reviews/REVIEW/edit /reviews/ODD/edit /reviews/REVIEW/delete
  /reviews/ODD/delete /login /login?redirectTo=ODD /login.data /signup /signup.data /signup/ODD
  /reset /reset/ODD /me /me.data /me/account /me/account.data?_routes=ODD /me/account/delete
  /me/sessions /me/address/ODD /me/data.json /guide /guide/mail /UNSUBSCRIBE /unsubscribe/ODD
  /dev/mail?key=ODD /dev/mail?mail=ODD /dev/mail/ODD /errors/ODD /?_data=ODD /_root.data
  /favicon.svg /build/ODD /build/..%2f..%2fpackage.json /.env //evil.example/ODD`);

const METHODS = ["GET", "GET", "POST", "POST", "POST", "PATCH", "PATCH", "DELETE", "HEAD", "PUT"];
const ODD_METHODS = ["OPTIONS", "TRACE", "PROPFIND", "QUERY", "PURGE", "M-SEARCH", "SUBSCRIBE"];
const NO_METHODS = ["get", "HELLO", "G\0T", "", "GET ", "CONNECT", "PRI"];

const HOSTS = ["", "a b", ...wordsOf("evil.example localhost:1 [::1] <script> user@host .. %00")];

const ODD_FIELDS = [
  "Authorization: Bearer ODD",
  "Authorization: bearer  TOKEN",
  "Authorization: ODD",
  "Authorization: Basic ODD",
  "Authorization: Bearer TOKEN TOKEN",
  `Authorization: Bearer ${LONG}`,
  "Cookie: session=ODD",
  "Cookie: COOKIEx",
  "Cookie: __Host-session=ODD; session=ODD",
  "Cookie: ODD",
  "Cookie: __proto__=ODD; COOKIE",
  `Cookie: session=${LONG}`,
  "Cookie: =; ;;=ODD;",
  "Cookie: session",
  "Cookie: session=eyIkZ3QiOiIifQ.AAAA",
  "Cookie: session=%ZZ",
  "Cookie: session=bnVsbA%3D%3D.ODD",
  "Content-Type: ODD",
  "Content-Type: application/json; charset=ODD",
  "Content-Type: text/plain",
  "Content-Type: multipart/form-data; boundary=ODD",
  "Content-Type: multipart/form-data",
  "Content-Type: application/x-www-form-urlencoded",
  "Content-Encoding: gzip",
  "Accept: ODD",
  "If-None-Match: ODD",
  "If-Match: ODD",
  'If-None-Match: W/"ODD", *',
  "Idempotency-Key: ODD",
  "If-Modified-Since: ODD",
  "Range: bytes=ODD",
  "Range: bytes=9-1,0-",
  "Accept-Language: ODD",
  "Origin: ODD",
  "Origin: null",
  "Sec-Fetch-Site: ODD",
  "Referer: ODD",
  "User-Agent: ODD",
  "X-Forwarded-For: ODD",
  "X-Forwarded-Host: ODD",
  "X-HTTP-Method-Override: DELETE",
  "X-Odd: ODD",
  "Expect: ODD",
  "Upgrade: websocket",
  "Connection: Upgrade, ODD",
  "TE: ODD",
  "Date: ODD",
  "Purpose: prefetch",
  "X-Remix-Reload-Document: ODD",
  "X-Request-Id: ODD",
  "Max-Forwards: 0",
];

/** Lines that are no field, and fields that do not say where a body ends. */
const NO_FIELDS = [
  "X-(ODD): x",
  "no colon",
  ": no name",
  "a\0b: c",
  " folded",
  "X: \x01",
  `X: ${"y".repeat(20_000)}`,
];
const NO_FRAMINGS = [
  "Content-Length: -1",
  "Content-Length: 1e3",
  "Content-Length: +5",
  "Content-Length: 99999999999999999999",
  "Transfer-Encoding: gzip",
  "Transfer-Encoding: xchunked",
  "Content-Length: 1\r\nTransfer-Encoding: chunked",
];

const BODIES = [
  ...wordsOf(String.raw`
    {"tourId":"TOUR","rating":5} {"rating":3,"comment":"ODD"} {"rating":1,"rating":2} {"ODD":"ODD"}
    NaN 'x' undefined [[[[
    rating=ODD&comment=ODD rating=5&comment=%ff%fe %=%&&&=%zz email=ODD&password=ODD intent=ODD
    name=ODD&email=ODD%40x intent=profile&name=ODD&image=ODD intent=revoke-token&tokenId=ODD
    intent=create-token&tokenName=ODD intent=complete&tourId=ODD&date=ODD
    tourId=TOUR&intent=complete&date=ODD reviewMails=ODD List-Unsubscribe=ODD --x--
    intent=password&currentPassword=ODD&newPassword=ODD a[$gt]=ODD&__proto__[x]=1`),
  ...["", "\0", '\ufeff{"rating":5}', "--x\r\n\r\n"],
  `email=ODD&password=${encodeURIComponent(PASSWORD)}`,
  `intent=create-token&tokenName=ODD&currentPassword=${encodeURIComponent(PASSWORD)}`,
  '--ODD\r\nContent-Disposition: form-data; name="rating"\r\n\r\n5\r\n--ODD--\r\n',
];

/** That many requests, made from that seed. */
function* fuzzRequests(seed: number, count: number, words: Words): Generator<FuzzRequest> {
  const next = random(seed);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(next() * values.length)]!;
  const chance = (share: number) => next() < share;
  const fill = (text: string) =>
    text
      .replace(/ODD/g, () => pick(ODD_WORDS))
      .replace(
        /TOUR|SLUG|REVIEW|TOKEN|COOKIE|LEADER|UNSUBSCRIBE/g,
        (name) => words[name as keyof Words],
      );

  for (let made = 0; made < count; made++) {
    let malformed = false;
    const oddly = <Value>(value: Value) => {
      malformed = true;
      return value;
    };
    const kind = next();
    const method =
      kind < 0.88 ? pick(METHODS) : kind < 0.96 ? pick(ODD_METHODS) : oddly(pick(NO_METHODS));
    // Encoded as a browser would send it, except for a few characters: other bytes are not allowed in an address.
    const path = fill(pick(PATHS));
    let target = path.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
    if (chance(0.03)) target += "?x=" + oddly("long".repeat(5_000));
    else if (chance(0.03))
      target = oddly(pick(["", "*", "http://evil.example/", "x", path, "/\x7f\xff"]));

    const fields = [`Host: ${chance(0.9) ? "localhost" : oddly(pick(HOSTS))}`];
    if (chance(0.02)) fields.push(oddly("Host: second.example"));
    if (chance(0.45)) fields.push(`Authorization: Bearer ${words.TOKEN}`);
    else if (chance(0.5)) fields.push(`Cookie: ${chance(0.5) ? words.COOKIE : words.LEADER}`);
    while (chance(0.4)) {
      // As Latin-1, which is how HTTP reads it; text that cannot be written in it makes a different request.
      const field = fill(pick(ODD_FIELDS)).replace(/[^\x20-\x7e\xa0-\xff]/g, "?");
      if (/^(Expect|Upgrade|Connection|TE):/.test(field) || /: *$/.test(field)) malformed = true;
      fields.push(field);
    }
    if (chance(0.03)) fields.push(oddly(pick(NO_FIELDS)));

    let body = Buffer.alloc(0);
    if (chance(method === "GET" || method === "HEAD" ? 0.1 : 0.85)) {
      body = Buffer.from(fill(pick(BODIES)));
      // No longer UTF-8.
      if (chance(0.1))
        body = Buffer.concat([
          body.subarray(0, body.length / 2),
          Buffer.from([0xff, 0xc0, 0xed, 0xa0, 0x80]),
          body.subarray(body.length / 2),
        ]);
      if (chance(0.02)) body = Buffer.alloc(70_000, "x");
      if (!fields.some((field) => /^content-type:/i.test(field)) && chance(0.9))
        fields.push(
          `Content-Type: ${isApi(path) ? "application/json" : "application/x-www-form-urlencoded"}`,
        );
    }
    const framing = next();
    if (framing < 0.04)
      fields.push(oddly(pick([`Content-Length: ${body.length + 9}`, ...NO_FRAMINGS])));
    else if (framing < 0.08) {
      fields.push("Transfer-Encoding: chunked");
      const size = chance(0.5) ? body.length.toString(16) : oddly(pick(["zz", "ffffffffffff"]));
      body = Buffer.concat([
        Buffer.from(body.length ? `${size}\r\n` : ""),
        body,
        Buffer.from(`${body.length ? "\r\n" : ""}0\r\n\r\n`),
      ]);
    } else if (body.length > 0 || chance(0.3)) fields.push(`Content-Length: ${body.length}`);
    else if (chance(0.02)) body = oddly(Buffer.from("left over"));

    const version = chance(0.98)
      ? "HTTP/1.1"
      : oddly(pick(["HTTP/1.0", "HTTP/2.0", "HTTP/9.9", "http/1.1", ""]));
    const lines = [`${method} ${target} ${version}`, "Connection: close", ...fields, "", ""];
    yield {
      bytes: Buffer.concat([Buffer.from(lines.join("\r\n"), "latin1"), body]),
      method,
      target,
      malformed,
    };
  }
}

interface FuzzReport {
  requests: number;
  /** How many answers had each status; 0 means no answer. */
  statuses: Record<number, number>;
  /** Each wrong answer, with the seed and number that make its request again. */
  faults: string[];
}

/** Sends that many requests of that seed to the app, a few at a time, and judges the answers. */
export async function fuzz(app: App, seed: number, count: number): Promise<FuzzReport> {
  const world = await makeWorld();
  const words: Words = {
    TOUR: world.tour._id.toString(),
    SLUG: world.tour.slug,
    REVIEW: world.review._id.toString(),
    TOKEN: await tokenOf(world.author),
    COOKIE: await sessionOf(world.author),
    LEADER: await sessionOf(world.guide),
    UNSUBSCRIBE: unsubscribeUrl(world.guide._id).split("/").slice(-2).join("/"),
  };
  const report: FuzzReport = { requests: 0, statuses: {}, faults: [] };
  const requests = fuzzRequests(seed, count, words);
  const client = async () => {
    for (const request of requests) {
      const number = ++report.requests;
      const { socket, answer } = speak(app, request.bytes);
      const given = await Promise.race([
        answer.catch(() => null),
        sleep(request.malformed ? 500 : 30_000, null),
      ]);
      socket.destroy();
      const status = given?.status ?? 0;
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      const fault = judge(request, given);
      if (fault)
        report.faults.push(
          `seed ${seed}, request ${number}: ${fault}\n${request.bytes.toString("latin1").slice(0, 600)}`,
        );
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  const health = await call(app, "GET", "/healthz").catch(() => null);
  if (health?.status !== 200) report.faults.push(`afterwards the app does not answer`);
  return report;
}

/** The fault of an answer, or null. */
function judge(
  { method, target, malformed }: FuzzRequest,
  answer: RawAnswer | null,
): string | null {
  if (!answer) return malformed ? null : "no answer";
  const { status, headers } = answer;
  if (status >= 500) return `status ${status}: ${answer.body.slice(0, 200)}`;
  // Node's own refusals come before ours, and have no body.
  const ours = headers.has("x-request-id");
  if (!ours)
    return malformed && [400, 408, 413, 431].includes(status) && !answer.body
      ? null
      : `not ours: ${status}`;
  if (
    /evil|alert\(1\)/.test(headers.get("location") ?? "") &&
    !headers.get("location")!.startsWith("/")
  )
    return `leads to ${headers.get("location")}`;

  const path = pathOf(target);
  if (!/^\/(api\/.|(healthz|livez)\/?$)/i.test(path)) return null;
  if (method.trim() === "HEAD" || status === 304) return null;
  if (headers.get("content-type") !== "application/json; charset=utf-8")
    return `${status} is ${headers.get("content-type")}`;
  if (status < 400) return null;
  return isError(bodyOf(answer)) ? null : `${status} is ${bodyOf(answer).slice(0, 200)}`;
}

/** Whether the body is that of the API's errors. */
function isError(body: string): boolean {
  try {
    return ANSWERS.Error!.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}

/** The path as in a URL, decoded except for slashes that belong to a name. */
function pathOf(target: string): string {
  const { pathname } = new URL(`http://localhost${target.startsWith("/") ? target : "/"}`);
  try {
    return decodeURIComponent(pathname.replaceAll(/%2f/gi, "%252f"));
  } catch {
    return pathname;
  }
}

function bodyOf({ headers, body }: RawAnswer): string {
  let text = body;
  if (headers.get("transfer-encoding") === "chunked") {
    text = "";
    for (let rest = body; ;) {
      const [line, size = "0"] = /^([0-9a-f]+)\r\n/i.exec(rest) ?? [""];
      const length = parseInt(size, 16);
      if (!length) break;
      text += rest.slice(line.length, line.length + length);
      rest = rest.slice(line.length + length + 2);
    }
  }
  return Buffer.from(text, "latin1").toString();
}
