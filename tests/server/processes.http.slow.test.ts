import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Types } from "mongoose";
import { createServiceToken } from "~/accounts/tokens.server";
import { storedRatings } from "~/reviews/ratings.server";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { pauseAfter, serveByProcesses } from "../../scripts/lib/processes";
import { answeringProcesses, call, servedBy, startSite, tokenOf, type App } from "../support/app";
import { nothingLeft, until } from "../support/commands";
import { databaseUri, useDatabase } from "../support/database";
import { freshRatings, makeBookedExplorer, makeReview, makeTour } from "../support/factories";
import { exchange, head } from "../support/sockets";

// `npm start` with WEB_CONCURRENCY=2 (docs/decisions/006-guard-around-remix-serve.md). Acts of two processes at the same
// time are in tests/reviews/races.http.test.ts and tests/server/rate-limits.http.slow.test.ts.

useDatabase();

const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

let site: App;
beforeAll(async () => {
  site = await startSite(databaseUri());
});
afterAll(() => site.stop());

/** A request over a connection of its own, because a connection stays with its process. */
const send = (method: string, path: string, options: Parameters<typeof call>[3]) => {
  const headers = { connection: "close" };
  return call<{ review?: { id: string } }>(site, method, path, { ...options, headers });
};

describe("two server processes behind one port", () => {
  test("store a platform's record once that arrives twelve times at once", async () => {
    const token = await createServiceToken("Platform");
    const path = `/api/users/${new Types.ObjectId().toString()}`;
    const body = { name: "Ann", email: "ann@example.test" };
    const all = await times(12, () => send("PUT", path, { token, body }));
    expect(all.map(({ status }) => status).sort()).toEqual([...Array<number>(11).fill(200), 201]);
    const served = () => new Set(all.map((answer) => servedBy(site, answer)));
    await until(() => !served().has(undefined));
    expect(served().size).toBe(2);
    expect(await User.countDocuments({ email: body.email })).toBe(1);
  });

  test("lose nothing acknowledged when one of them is killed, and it is replaced", async () => {
    const [killed, other] = await answeringProcesses(site);
    const tours = await times(12, async () => {
      const tour = await makeTour();
      return { tour, token: await tokenOf(await makeBookedExplorer(tour)), rating: 0 };
    });
    let acknowledged = 0;
    let running = true;
    const clients = tours.map(async (mine) => {
      const body = { tourId: mine.tour._id.toString(), rating: 5 };
      const { json } = await send("POST", "/api/reviews", { token: mine.token, body });
      mine.rating = 5;
      // Until the process that answers has died, or clearly longer than that takes.
      for (let n = 1; running; n++) {
        const rating = (n % 5) + 1;
        const path = `/api/reviews/${json!.review!.id}`;
        const answer = await send("PATCH", path, { token: mine.token, body: { rating } }).catch(
          () => null,
        );
        // Nobody knows whether that change was made.
        if (answer?.status !== 200) return (mine.rating = NaN);
        mine.rating = rating;
        acknowledged++;
      }
    });
    await until(() => acknowledged > 24 && tours.every(({ rating }) => rating !== 0));
    process.kill(killed!, "SIGKILL");
    const before = acknowledged;
    await until(() => acknowledged > before + 12);
    const now = await answeringProcesses(site);
    running = false;
    await Promise.all(clients);

    expect(now).toHaveLength(2);
    expect(now).toContain(other);
    expect(now).not.toContain(killed);
    await expect.poll(site.log).toContain(`"ended":${killed},"code":null,"signal":"SIGKILL"`);
    const known = tours.filter(({ rating }) => !Number.isNaN(rating));
    expect(known.length).toBeGreaterThan(0);
    for (const { tour, rating } of known) {
      const fresh = await freshRatings(tour._id);
      expect([fresh.avgRating, fresh.reviewCount]).toEqual([rating, 1]);
    }
    for (const { tour } of tours)
      expect(storedRatings(await Tour.findById(tour._id).lean())).toEqual(
        await freshRatings(tour._id),
      );
  });
});

test("a server process says in which language a comment is", async () => {
  const tour = await makeTour();
  const comment = "Wir hatten eine tolle Zeit am Hafen, und Ola kannte jede Gasse.";
  await makeReview(await makeBookedExplorer(tour), tour, { comment });
  const page = await (await fetch(`${site.url}/tours/${tour.slug}`)).text();
  expect(page).toMatch(new RegExp(`lang="de"[^>]*>${comment}`));
});

describe.runIf(process.platform === "linux")("a process that hangs", () => {
  test("does not stop the others when it is the one that accepts connections", async () => {
    const tour = await makeTour();
    const tokens = await times(3, async () => tokenOf(await makeBookedExplorer(tour)));
    const body = { tourId: tour._id.toString(), rating: 5 };
    // A connection stays with its process, and needs no other one.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (method: string, path: string, token = "") => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const asked = request(site.url + path, { agent, method, headers });
      asked.end(token && JSON.stringify(body));
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      await once(answer.resume(), "end");
      return answer.statusCode;
    };
    const post = (index: number) => ask("POST", "/api/reviews", tokens[index]);
    await ask("GET", "/healthz");
    site.process.kill("SIGSTOP");
    try {
      expect(await post(0)).toBe(201);
      expect(await post(1)).toBe(201);
    } finally {
      site.process.kill("SIGCONT");
    }
    expect(await post(2)).toBe(201);
    agent.destroy();
  });

  test("loses one connection when it is killed, and does not outlive the site", async () => {
    const [hanging] = await answeringProcesses(site);
    process.kill(hanging!, "SIGSTOP");
    // Each of them is answered, or closed with the process that it was sent to: none waits forever.
    let answered = 0;
    const asked = times(6, () =>
      exchange(site, head("GET", "/healthz", "Connection: close")).then(
        ({ status }) => {
          answered++;
          return status;
        },
        () => "closed",
      ),
    );
    await until(() => answered === 5);
    process.kill(hanging!, "SIGKILL");
    expect((await asked).sort()).toEqual([200, 200, 200, 200, 200, "closed"]);

    const [another] = await answeringProcesses(site);
    process.kill(another!, "SIGSTOP");
    expect(await site.stop()).toBe(0);
    await nothingLeft(site.url);
  });
});

describe("a first process that cannot serve", () => {
  test.each([
    ["its port is taken", {}],
    ["it has no database", { MONGODB_URI: "" }],
  ])("ends all of them, and is not replaced: %s", async (_, settings) => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const server = serveByProcesses("build/index.js", 2, {
      ...process.env,
      MONGODB_URI: databaseUri(),
      APP_URL: `http://localhost:${port}`,
      PORT: String(port),
      ...settings,
    });
    expect(await server.ended).toBe(1);
    other.close();
  });
});

test("the place of a process that fails again and again stays empty longer each time", () => {
  expect([0, 1, 2, 3, 5, 6, 50].map(pauseAfter)).toEqual([
    0, 1_000, 2_000, 4_000, 16_000, 30_000, 30_000,
  ]);
});
