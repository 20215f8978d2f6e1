import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, test } from "vitest";
import { startSession } from "~/server/session.server";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { type App, call, logIn, tokenOf } from "../support/app";
import { caseOf, decideAs, newOperator, report } from "../support/cases";
import { until } from "../support/commands";
import { makeBookedExplorer, makeReview, makeTour } from "../support/factories";
import { reviewed, useTwoApps } from "../support/shared-app";

// Pages for visitors without a session come from memory (docs/rules/pages.md, Pages from memory), here of two processes.

const either = useTwoApps();

let scene: Awaited<ReturnType<typeof reviewed>>;
/** The pages that show the scene, by their names. */
let pages: Record<"home" | "tour" | "guide" | "review", string>;
let apps: Pick<App, "url">[];

const PAGES = ["home", "tour", "guide", "review"] as const;

beforeEach(async () => {
  scene = await reviewed({ comment: "A fine walk along the river." });
  const { guide, tour, review } = scene;
  pages = {
    home: "/",
    tour: `/tours/${tour.slug}`,
    guide: `/guides/${guide._id.toString()}`,
    review: `/reviews/${review._id.toString()}`,
  };
  apps = [either(), either()];
  // The list of tours learns of new ones in the background.
  for (const app of apps)
    await until(async () => (await call(app, "GET", "/")).text.includes(tour.slug));
});

type Headers = Record<string, string | undefined>;

const open = (app: Pick<App, "url">, path: string, headers: Headers = {}) =>
  call(app, "GET", path, {
    headers: { "accept-encoding": "identity", ...headers },
  });

/** Without the second header, fetch would ask that no cached answer be used. */
const ifNot = (tags: string) => ({ "if-none-match": tags, "cache-control": "max-age=0" });

/** How many commands that process has sent to its database so far. */
async function commandsOf(app: Pick<App, "url">): Promise<number> {
  const { text } = await call(app, "GET", "/metrics");
  const counts = text.matchAll(/^tour_reviews_database_command_seconds_count\S* (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** How many bytes of pages that process counts. */
async function keptBytes(app: Pick<App, "url">): Promise<number> {
  const { text } = await call(app, "GET", "/metrics");
  return Number(/^tour_reviews_cache_bytes\{cache="pages"\} (\d+)$/m.exec(text)![1]);
}

const TIMES = 40;

/** About how many commands of the database each such request costs. */
async function cost(app: Pick<App, "url">, path: string, headers: Headers = {}): Promise<number> {
  await open(app, path, headers);
  const before = await commandsOf(app);
  for (let n = 0; n < TIMES; n++) await open(app, path, headers);
  return ((await commandsOf(app)) - before) / TIMES;
}

describe.each(PAGES)("the page of a %s for a visitor without a session", (name) => {
  test("has a strong ETag, by which it is asked for anew in every process", async () => {
    for (const app of apps) {
      const first = await open(app, pages[name]);
      expect([first.status, Object.fromEntries(first.headers)]).toMatchObject([
        200,
        {
          "cache-control": "private, no-cache",
          etag: expect.stringMatching(/^"[\w-]+"$/),
          vary: "Cookie, Accept-Encoding",
          "content-length": String(Buffer.byteLength(first.text)),
        },
      ]);
      expect(first.headers.getSetCookie()).toEqual([]);
      const again = await open(app, pages[name]);
      expect([again.text, again.headers.get("etag")]).toEqual([
        first.text,
        first.headers.get("etag"),
      ]);
      const etag = first.headers.get("etag")!;
      const known = await open(app, pages[name], ifNot(`"x", W/${etag}`));
      expect([known.status, known.text]).toEqual([304, ""]);
      // Browsers replace those that they have kept by these.
      for (const header of ["etag", "cache-control", "vary", "content-security-policy"])
        expect(known.headers.get(header)).toBe(first.headers.get(header));
      expect((await open(app, pages[name], ifNot('"other"'))).status).toBe(200);
    }
  });

  test("is the same compressed, and costs one command of the database at most", async () => {
    const headers = { "accept-encoding": "gzip" };
    await open(apps[0]!, pages[name]);
    const before = await keptBytes(apps[0]!);
    const small = await open(apps[0]!, pages[name], headers);
    // The compressed page is counted, too.
    expect(await keptBytes(apps[0]!)).toBeGreaterThan(before + 1_000);
    expect(small.headers.get("content-encoding")).toBe("gzip");
    expect(small.text).toBe((await open(apps[0]!, pages[name])).text);
    // Some are those of work in the background.
    expect(await cost(apps[0]!, pages[name])).toBeLessThan(1.5);
  });

  test("is personal with a session, even if the browser knows the other one", async () => {
    const cookie = await logIn(apps[0]!, scene.guest.email);
    const etag = (await open(apps[0]!, pages[name])).headers.get("etag")!;
    for (const headers of [{}, ifNot(etag)]) {
      const own = await open(apps[0]!, pages[name], { ...headers, cookie });
      expect([own.status, own.headers.get("etag")]).toEqual([200, null]);
      expect(own.headers.get("cache-control")).toBe("private, no-store");
      expect(own.text).toContain("Log out");
    }
    const ended = await open(apps[0]!, pages[name], { cookie: "session=no-longer" });
    expect(ended.headers.get("etag")).toBeNull();
    const theirs = await open(apps[0]!, pages[name], { cookie: "theme=dark" });
    expect(theirs.headers.get("etag")).toBe(etag);
    expect(theirs.text).not.toContain("Log out");
  });
});

describe("the next request in every process shows", () => {
  const api = (method: string, path: string, token: string, body?: unknown) =>
    call(either(), method, path, { token, body });

  const has = (part: string) => (text: string) => text.includes(part);
  const isGone = (text: string) => !text.includes("fine walk");

  /** Asks for these pages before and after a change, which only the latter show. */
  async function expectSeen(
    names: readonly (typeof PAGES)[number][],
    isShown: (text: string) => boolean,
    change: () => Promise<unknown>,
  ): Promise<void> {
    const asked = apps.flatMap((app) => names.map((name) => ({ app, name })));
    const tags = new Map<string, string>();
    for (const { app, name } of [...asked, ...asked]) {
      const { headers, text: before } = await open(app, pages[name]);
      expect([name, isShown(before)]).toEqual([name, false]);
      tags.set(name, headers.get("etag")!);
    }
    await change();
    for (const { app, name } of asked) {
      const after = await open(app, pages[name], ifNot(tags.get(name)!));
      expect([name, after.status, isShown(after.text)]).toEqual([name, 200, true]);
      expect(after.headers.get("etag")).not.toBe(tags.get(name));
    }
  }

  test("a review that was edited, and one that was posted", async () => {
    const comment = "A fine walk, and dry shoes.";
    await expectSeen(PAGES, has(comment), async () =>
      expect((await api("PATCH", scene.path, scene.token, { comment })).status).toBe(200),
    );
    const token = await tokenOf(await makeBookedExplorer(scene.tour));
    const body = { tourId: scene.tourId, rating: 5, comment: "Worth every step." };
    await expectSeen(["home", "tour", "guide"], has(body.comment), async () =>
      expect((await api("POST", "/api/reviews", token, body)).status).toBe(201),
    );
  });

  test("a reply", async () => {
    const token = await tokenOf(scene.guide);
    const text = "Thank you for walking with us.";
    await expectSeen(["tour", "review"], has(text), async () =>
      expect((await api("PUT", `${scene.path}/reply`, token, { text })).status).toBeLessThan(300),
    );
  });

  test("a review that was deleted, and one that an operator has removed", async () => {
    await expectSeen(["home", "tour", "guide"], isGone, async () => {
      for (const app of apps) await open(app, pages.review);
      expect((await api("DELETE", scene.path, scene.token)).status).toBe(200);
    });
    for (const app of apps) expect((await open(app, pages.review)).status).toBe(404);
    const body = { tourId: scene.tourId, rating: 5, comment: "Worth every step." };
    expect((await api("POST", "/api/reviews", scene.token, body)).status).toBe(201);
    const review = (await Review.findOne({ comment: body.comment }))!;
    const path = `/reviews/${review._id.toString()}`;
    await report(`https://tours.example.com${path}`);
    const operator = await newOperator();
    const isRemoved = (text: string) => !text.includes(body.comment);
    await expectSeen(["home", "tour", "guide"], isRemoved, async () => {
      for (const app of apps) expect(isRemoved((await open(app, path)).text)).toBe(false);
      await decideAs(operator, await caseOf(review), { action: "remove" });
    });
    for (const app of apps) expect((await open(app, path)).text).toSatisfy(isRemoved);
  });

  test("a title that a platform has written", async () => {
    await expectSeen(PAGES, has("Harbour at Dawn"), () =>
      Tour.collection.updateOne({ _id: scene.tour._id }, { $set: { title: "Harbour at Dawn" } }),
    );
  });

  test("that a tour is gone", async () => {
    for (const app of apps) for (const name of PAGES) await open(app, pages[name]);
    await Tour.deleteOne({ _id: scene.tour._id });
    for (const app of apps) {
      expect((await open(app, pages.tour)).status).toBe(404);
      for (const name of ["home", "guide", "review"] as const)
        expect((await open(app, pages[name])).text).not.toContain("Old Town Walk");
    }
  });

  test("each of many edits, however often the pages are asked for meanwhile", async () => {
    let done = false;
    const reading = apps.flatMap((app) =>
      [pages.tour, pages.review].map(async (path) => {
        while (!done) await open(app, path);
      }),
    );
    for (let n = 0; n < 20; n++) {
      const comment = `Edit number ${n}.`;
      expect((await api("PATCH", scene.path, scene.token, { comment })).status).toBe(200);
      const texts = apps.flatMap((app) =>
        [pages.tour, pages.review].map(async (path) => (await open(app, path)).text),
      );
      for (const text of await Promise.all(texts)) expect(text).toContain(comment);
    }
    done = true;
    await Promise.all(reading);
  });

  test("that a departure has passed", async () => {
    const date = new Date(Date.now() + 4_000);
    await Tour.updateOne({ _id: scene.tour._id }, { date });
    const isGone = (text: string) => !text.includes(`<time dateTime="${date.toISOString()}"`);
    await expectSeen(["home"], isGone, () => sleep(+date - Date.now() + 1));
  });
});

describe("a page is made for each request", () => {
  const expectFresh = async (path: string) => {
    const { headers } = await open(apps[0]!, path);
    expect([path, headers.get("etag")]).toEqual([path, null]);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(await cost(apps[0]!, path)).toBeGreaterThan(1);
  };

  it("of a tour whose platform writes its reviews, which raises no version", async () => {
    const tour = await makeTour();
    await expectFresh(`/tours/${tour.slug}`);
  });

  it("of a search, and with a query so long that nobody has it but to fill the memory", async () => {
    await expectFresh(`${pages.tour}?q=river`);
    await expectFresh(`${pages.tour}?x=${"x".repeat(200)}`);
    expect((await open(apps[0]!, "/?from=2030-01-01")).headers.get("etag")).toBeNull();
  });

  it("for somebody who is to read a notice, and not for the next visitor", async () => {
    for (let n = 0; n < 2; n++) await open(apps[0]!, "/");
    const session = await startSession(new Request(apps[0]!.url), null, { notice: "Well done." });
    const noticed = await open(apps[0]!, "/", { cookie: session.split(";")[0]! });
    expect(noticed.headers.get("etag")).toBeNull();
    expect(noticed.text).toContain("Well done.");
    expect((await open(apps[0]!, "/")).text).not.toContain("Well done.");
  });
});

it("keeps different pages for different addresses", async () => {
  await makeReview(await makeBookedExplorer(scene.tour), scene.tour, { rating: 1 });
  for (let n = 0; n < 2; n++) {
    expect((await open(apps[0]!, `${pages.tour}?rating=4`)).text).toContain("fine walk");
    expect((await open(apps[0]!, `${pages.tour}?stars=1`)).text).not.toContain("fine walk");
  }
});
