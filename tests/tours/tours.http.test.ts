import { describe, expect, test } from "vitest";
import { call, tokenOf, type App } from "../support/app";
import { makeBookedExplorer, makeTour, makeUser } from "../support/factories";
import { app, useTwoApps } from "../support/shared-app";

// The list of tours and its search, as two processes show them. What a search finds, and in which order:
// tests/search/search.test.ts.

const either = useTwoApps();

const shown = async (path: string, by: Pick<App, "url"> = app) => {
  const { text, status } = await call(by, "GET", path);
  expect(status).toBe(200);
  return text.replaceAll("<!-- -->", "");
};

/** The titles and ratings of the cards, in their order. */
const cards = async (path: string, by?: Pick<App, "url">) =>
  [...(await shown(path, by)).matchAll(/<li class="tour-card">.*?<\/li>/gs)].map(([card]) => ({
    title: /<h2>.*?<bdi>([^<]*)<\/bdi>/s.exec(card)![1],
    rating: /(\d\.\d out of 5 \(\d+ reviews?\)|No reviews yet)/.exec(
      card.replace(/<[^>]*>/g, ""),
    )?.[1],
  }));

const titles = async (path: string, by?: Pick<App, "url">) =>
  (await cards(path, by)).map(({ title }) => title);

/** Waits until both processes have noticed that many tours, which another program has made. */
async function noticed(count: number): Promise<void> {
  for (const process of [either(), either()])
    await expect
      .poll(() => titles("/", process), { timeout: 60_000, interval: 200 })
      .toHaveLength(count);
}

describe("the list of tours", () => {
  test("shows a tour of another program after some seconds, and the first one at once", async () => {
    await makeTour({ title: "First" });
    for (const process of [either(), either()])
      expect(await titles("/", process)).toEqual(["First"]);
    await makeTour({ title: "Second" });
    await noticed(2);
  });

  test("has a new review in its order at once, and its mean in every process", async () => {
    const quiet = await makeTour({ title: "Quiet" });
    await makeTour({ title: "Other" });
    await noticed(2);
    expect(await titles("/?sort=reviewed")).toEqual(["Other", "Quiet"]);
    const token = await tokenOf(await makeBookedExplorer(quiet));
    const body = { tourId: quiet._id.toString(), rating: 5 };
    expect((await call(app, "POST", "/api/reviews", { token, body })).status).toBe(201);
    expect(await titles("/?sort=reviewed")).toEqual(["Quiet", "Other"]);
    for (const process of [either(), either()])
      expect(await cards("/", process)).toEqual(
        expect.arrayContaining([
          { title: "Quiet", rating: "5.0 out of 5 (1 review)" },
          { title: "Other", rating: "No reviews yet" },
        ]),
      );
  });

  test("sends a reader who requests a page past the end to the last one", async () => {
    for (let n = 0; n < 13; n++) await makeTour({ title: `Walk ${n}` });
    await noticed(12);
    await expect.poll(() => titles("/?page=2")).toHaveLength(1);
    for (const [path, last] of [
      ["/?page=99", "/?page=2"],
      ["/?page=3&sort=newest", "/?sort=newest&page=2"],
      ["/?q=walk&page=7", "/?q=walk&page=2"],
      ["/?q=zebra&page=2", "/?q=zebra"],
      ["/?q=", "/"],
      ["/?q=+&sort=newest", "/?sort=newest"],
      ["/?page=0", "/"],
      ["/?page=x", "/"],
    ] as const) {
      const { status, headers } = await call(app, "GET", path);
      expect([path, status, headers.get("location")]).toEqual([path, 302, last]);
    }
    expect(await titles("/?page=2")).toHaveLength(1);
    expect(await shown("/?page=2")).toContain(", page 2 of 2 · Tour Reviews</title>");
  });

  test("is searched, with the best match first unless the reader chooses another order", async () => {
    const guide = await makeUser({ name: "Łucja" });
    await makeTour({
      title: "Lantern walk",
      description: "In the harbour.",
      createdById: guide._id,
    });
    await makeTour({ title: "By boat", description: "A lantern on the bow." });
    await makeTour({ title: "Lanterns & wine", location: "Ærø" });
    await noticed(3);
    const [walk, boat, wine] = ["Lantern walk", "By boat", "Lanterns &amp; wine"];
    expect(await titles("/?q=lantern")).toEqual([walk, wine, boat]);
    expect(await titles("/?q=lantern&sort=match")).toEqual([walk, wine, boat]);
    expect(await titles("/?q=lantern&sort=newest")).toEqual([wine, boat, walk]);
    expect(await titles("/?q=LUCJA")).toEqual([walk]);
    expect(await titles("/?q=aero+latnerns")).toEqual([wine]);
    const most = (await shown("/?q=lantern+submarine")).replace(/<[^>]*>/g, "");
    expect(most).toContain("No tour matches all your words. None of these mentions “submarine”.");
    const none = await shown("/?q=lntrn");
    expect(none).toContain("No tour matches these words");
    expect(none).toMatch(/Did you mean .*<a [^>]*href="\/\?q=lantern"/);

    const found = await shown("/?q=lantern");
    expect(found.replace(/<[^>]*>/g, "")).toContain("3 tours for lantern");
    expect(found).toMatch(/aria-current="true"[^>]*>Best match</);
    // The orders are buttons of the search's form; its own button is the first, and keeps the order.
    const buttons = (html: string) =>
      [...html.matchAll(/<button([^>]*)>([^<]*)</g)]
        .filter(([, attributes]) => attributes!.includes('type="submit"'))
        .map(([, attributes, text]) => [text, /value="(\w+)"/.exec(attributes!)?.[1]])
        .slice(0, 5);
    const orders = [
      ["Best match", undefined],
      ["Best rated", "best"],
      ["Most reviewed", "reviewed"],
      ["Newest", "newest"],
    ];
    expect(buttons(found)).toEqual([["Search", undefined], ...orders]);
    expect(buttons(await shown("/?q=lantern&sort=best"))).toEqual([["Search", "best"], ...orders]);
    // Without a search there is nothing to match.
    const all = await shown("/?sort=match");
    expect(all).not.toContain("Best match");
    expect(all).toMatch(/aria-current="true"[^>]*>Best rated</);
  });
});
