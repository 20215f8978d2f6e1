import { once } from "node:events";
import { appendFile, readdir, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import mongoose from "mongoose";
import { beforeAll, describe, expect, it } from "vitest";
import { DEMO_PASSWORD } from "~/accounts/log-in/demo-log-ins.server";
import { version } from "../../package.json";
import { acquireDatabase } from "../../scripts/database/index";
import { freePort } from "../../scripts/lib/ports";
import { demoLogins } from "../../scripts/demo/index";
import { call, logIn } from "../support/app";
import {
  copyCheckout,
  folder,
  nothingLeft,
  outcome,
  processesOf,
  run,
  type Site,
  start,
  until,
  useCommands,
} from "../support/commands";
import { databaseUri } from "../support/database";

useCommands();

/** What a platform exports: a guide, an explorer who may review the tour, and one who already has. */
function platform() {
  const id = (n: number) => n.toString(16).padStart(24, "c0ffee");
  const user = (n: number, name: string) => ({
    id: id(n),
    name,
    email: `${name.toLowerCase()}@platform.example`,
  });
  const tour = { id: id(10), title: "Old Town Walk", slug: "old-town-walk", createdById: id(1) };
  const booking = { tourId: tour.id, status: "COMPLETED", date: "2026-05-01T09:00:00Z" };
  return {
    users: [
      user(1, "Gwen"),
      { ...user(2, "Ann"), image: null, password: "a password of the platform" },
      user(3, "Ben"),
      user(4, "Cleo"),
    ],
    tours: [tour],
    bookings: [
      { id: id(20), userId: id(2), ...booking },
      { id: id(21), userId: id(3), ...booking },
    ],
    reviews: [
      {
        id: id(30),
        userId: id(3),
        tourId: tour.id,
        rating: 3,
        comment: "Short",
        createdAt: "2026-05-02T10:00:00Z",
      },
    ],
  };
}
const tourId = platform().tours[0]!.id;

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

async function withConnection<Result>(
  uri: string,
  work: (connection: mongoose.Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await mongoose.createConnection(uri).asPromise();
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

describe("a site started with npm start", () => {
  let dataDir: string;
  let site: Site;
  /** A demo user's, from before the site is public. */
  let cookie: string;
  let token: string;
  beforeAll(async () => {
    dataDir = join(folder, "site");
    site = await start(dataDir);
  });

  it("serves the demo data and says where, and who can log in", async () => {
    expect(await (await fetch(`${site.url}/healthz`)).json()).toEqual({ status: "ok" });
    expect(site.stdout()).toContain(`Tour Reviews is at ${site.url}\n`);
    expect(site.stdout()).toContain(`\nVersion ${version}\n`);
    expect(site.stdout()).toContain(`"${DEMO_PASSWORD}"`);
    expect(site.stdout()).toContain("(BOOKING_COMPLETION=automatic)");
    for (const { email } of demoLogins) expect(site.stdout()).toContain(email);

    const shown = /^ {2}(\S+@\S+) /m.exec(site.stdout())![1]!;
    const answer = await call(site, "POST", "/login", {
      raw: new URLSearchParams({ email: shown, password: DEMO_PASSWORD }),
      headers: { origin: site.url },
    });
    expect(answer.status).toBe(302);
    expect(answer.headers.getSetCookie()).not.toEqual([]);
    const home = await call(site, "GET", "/", { cookie: await logIn(site, shown, DEMO_PASSWORD) });
    expect(home.status).toBe(200);
    expect(home.text).toContain("/logout");
    expect(home.text).toMatch(/href="\/tours\/[a-z-]+"/);
  });

  it("shares its database with every command", async () => {
    const { code, last, stdout } = await outcome(["db-uri"], site.settings);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${last}\n` });
    expect(last).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\/tour_reviews(\?|$)/);
    const [name, users] = await withConnection(last!, async ({ db }) => [
      db!.databaseName,
      await db!.collection("users").countDocuments({ email: demoLogins[0]!.email }),
    ]);
    expect([name, users]).toEqual(["tour_reviews", 1]);

    const [one, other] = [run(["ratings", "check"], site.settings), run(["db-uri"], site.settings)];
    if (process.platform === "linux")
      while (one.child.exitCode === null) {
        expect(processesOf(dataDir).filter((line) => line.includes("keeper.mjs"))).toHaveLength(1);
        await delay(50);
      }
    expect(await Promise.all([one.ended, other.ended])).toEqual([0, 0]);
    expect(other.stdout()).toBe(stdout);
    expect((await call(site, "GET", "/healthz")).status).toBe(200);
  });

  it("shows what db:import has written", async () => {
    const good = await file("good.json", platform());
    const { code, errors } = await outcome(["db-import", good], site.settings);
    expect(errors).toEqual([
      "Imported.",
      "Users: 4 new, 0 changed, 0 unchanged, 0 left out.",
      "Tours: 1 new, 0 changed, 0 unchanged, 0 left out.",
      "Bookings: 2 new, 0 changed, 0 unchanged, 0 left out.",
      "Reviews: 1 new, 0 changed, 0 unchanged, 0 left out.",
    ]);
    expect(code).toBe(0);
    const tour = await call(site, "GET", `/api/tours/${tourId}`);
    expect(tour.json).toMatchObject({
      tour: { title: "Old Town Walk", avgRating: 3, reviewCount: 1 },
    });
    const list = await call(site, "GET", `/api/reviews?tourId=${tourId}`);
    expect(list.json).toMatchObject({
      reviews: [{ rating: 3, comment: "Short", user: { name: "Ben", image: null } }],
    });
    await logIn(site, "ann@platform.example", "a password of the platform");
  });

  it("imports nothing from a file with a bad record", async () => {
    const data = platform();
    data.tours[0]!.title = "Another Walk";
    data.users.splice(0, 0, { ...data.users[0]!, id: "d".repeat(24), email: "new@example.org" });
    data.users[3]!.email = "no address";
    const bad = await file("bad.json", data);
    const { code, errors } = await outcome(["db-import", bad], site.settings);
    expect(errors).toContainEqual(expect.stringMatching(/^users\[3\]\.email: .+/));
    expect(errors.join("\n")).not.toMatch(/^\s+at /m);
    expect(code).toBe(1);
    const tour = await call(site, "GET", `/api/tours/${tourId}`);
    expect(tour.json).toMatchObject({ tour: { title: "Old Town Walk" } });
    const token = await outcome(["token", "--email", "new@example.org"], site.settings);
    expect(token.code).toBe(1);
  });

  it("accepts the token of a user", async () => {
    const { code, last, stdout } = await outcome(
      ["token", "--email", "ann@platform.example"],
      site.settings,
    );
    expect(code).toBe(0);
    expect(stdout).toBe(`${last}\n`);
    const review = { tourId, rating: 5, comment: "Kept" };
    const answer = await call(site, "POST", "/api/reviews", { token: last, body: review });
    expect(answer.json).toMatchObject({ review: { rating: 5, user: { name: "Ann" } } });
    expect(answer.status).toBe(201);
    const refused = await call(site, "POST", "/api/reviews", { token: `${last}x`, body: review });
    expect(refused.status).toBe(401);
  });

  it("has its ratings checked and rebuilt", async () => {
    const before = await outcome(["ratings", "check"], site.settings);
    expect(before).toMatchObject({ code: 0, stdout: "" });

    const { last: uri } = await outcome(["db-uri"], site.settings);
    await withConnection(uri!, async ({ db }) => {
      const _id = new mongoose.Types.ObjectId(tourId);
      const { modifiedCount } = await db!
        .collection("tours")
        .updateOne({ _id }, { $set: { avgRating: 1.5 } });
      expect(modifiedCount).toBe(1);
    });
    const check = await outcome(["ratings", "check"], site.settings);
    expect(check.code).toBe(1);
    expect(check.stdout).toMatch(/^[^\n]+\n$/);
    expect(check.stdout).toMatch(new RegExp(`^${tourId} old-town-walk: .*1\\.5.*\\b4\\b`));
    expect(check.errors).toEqual([]);

    expect((await outcome(["ratings", "rebuild"], site.settings)).code).toBe(0);
    const after = await outcome(["ratings", "check"], site.settings);
    expect(after).toMatchObject({ code: 0, stdout: "" });
    const tour = await call(site, "GET", `/api/tours/${tourId}`);
    expect(tour.json).toMatchObject({ tour: { avgRating: 4, reviewCount: 2 } });
  });

  it("has its reviews marked as verified where a completed booking exists, also when that is checked again", async () => {
    const { last: uri } = await outcome(["db-uri"], site.settings);
    await withConnection(uri!, async ({ db }) => {
      const reviews = db!.collection("reviews");
      // All reviews of the demo data, and those of the imported platform.
      expect(await reviews.countDocuments({ verified: { $ne: true } })).toBe(0);
      const { modifiedCount } = await reviews.updateMany({}, { $unset: { verified: "" } });
      const { code, errors, stdout } = await outcome(["reviews", "verify"], site.settings);
      expect(errors).toEqual([
        `Looked at ${modifiedCount} reviews: ${modifiedCount} with a completed booking, ${modifiedCount} changed.`,
      ]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
      expect(await reviews.countDocuments({ verified: true })).toBe(modifiedCount);
    });
  });

  it("ends with everything that it started, and has all its data at the next start", async () => {
    site.child.kill("SIGTERM");
    expect(await site.ended).toBe(0);
    await nothingLeft(dataDir);

    const again = await start(dataDir);
    expect(again.stderr()).not.toContain("demo data");
    expect(again.stdout()).toContain(demoLogins[0]!.email);
    expect(again.stdout()).not.toContain("CONTACT_URL");
    const list = await call(again, "GET", `/api/reviews?tourId=${tourId}`);
    expect(list.json).toMatchObject({ reviews: [{ comment: "Kept" }, { comment: "Short" }] });

    const { email } = demoLogins[0]!;
    cookie = await logIn(again, email, DEMO_PASSWORD);
    token = (await outcome(["token", "--email", email], again.settings)).last!;

    process.kill(-again.child.pid!, "SIGINT"); // Ctrl-C
    expect(await again.ended).toBe(0);
    await nothingLeft(dataDir);
    await expect(fetch(`${again.url}/healthz`)).rejects.toThrow();
  });

  it("closes the demo log-ins once it is public, and says so in one line", async () => {
    const site = await start(dataDir, { APP_URL: "http://reviews.example.com" });
    expect(site.stdout()).toMatch(/^Demo log-ins are closed, .*DATA_DIR or MONGODB_URI.*$/m);
    expect(site.stdout()).toMatch(
      /^Visitors .* to write to reviews@localhost, .*: set CONTACT_URL$/m,
    );
    expect(site.stdout()).not.toContain(DEMO_PASSWORD);
    expect(site.stdout()).not.toContain("@example.org");
    await expect(logIn(site, demoLogins[0]!.email, DEMO_PASSWORD)).rejects.toThrow("400");
    expect((await call(site, "GET", "/me", { cookie })).status).toBe(302);
    expect((await call(site, "DELETE", "/api/reviews/1", { token })).status).toBe(401);
    site.child.kill("SIGTERM");
    expect(await site.ended).toBe(0);
    await nothingLeft(dataDir);
  });
});

describe("a start that is stopped or fails", () => {
  const settings = async (name: string, more: Record<string, string> = {}) => ({
    DATA_DIR: join(folder, name),
    PORT: String(await freePort()),
    ...more,
  });

  it("ends while it is still loading the demo data", async () => {
    const early = await settings("early");
    const { child, stdout, stderr, ended } = run(["start"], early);
    await until(() => stderr().includes("Loading the demo data"), 60);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(stdout()).toBe("");
    await nothingLeft(early.DATA_DIR);
  });

  it.each([
    ["a PORT that is no number", { PORT: "http" }, /^PORT must be/],
    ["a MONGODB_URI without a server", { MONGODB_URI: "mongodb://127.0.0.1:1/x" }, /MONGODB_URI/],
  ])("ends with one line for %s", async (name, more, line) => {
    const bad = await settings(name.replaceAll(" ", "-"), more);
    const { code, stdout, errors } = await outcome(["start"], bad);
    expect(errors).toEqual([expect.stringMatching(line)]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    await nothingLeft(bad.DATA_DIR);
  });

  it.runIf(process.platform === "linux").each([
    ["start", "/proc/tour-reviews"],
    ["token", "/proc/tour-reviews"],
    ["db-restore", "/proc/tour-reviews"],
    ["token", "/dev/null/data"],
  ])("ends with one line if no data folder can be made: %s in %s", async (command, dataDir) => {
    const args = { token: ["--email", "ann@x.test"], "db-restore": ["backup.tar"] }[command] ?? [];
    const bad = await settings("nowhere", { DATA_DIR: dataDir });
    const { code, stdout, errors } = await outcome([command, ...args], bad);
    const line = /^(DATA_DIR cannot be used|Nothing was restored): E[A-Z]+: .+$/;
    expect(errors).toEqual([expect.stringMatching(line)]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  });

  it("ends with one line for a PORT in use", async () => {
    // It accepts connections and never answers.
    const other = createServer().listen(0);
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    try {
      const bad = await settings("port", { PORT: String(port) });
      const { code, stdout, errors } = await outcome(["start"], bad);
      expect(errors).toEqual([`PORT ${port} is in use by another program`]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      await nothingLeft(bad.DATA_DIR);
    } finally {
      other.close();
    }
  });
});

describe("a command without a running site", () => {
  let settings: { DATA_DIR: string };
  beforeAll(() => {
    settings = { DATA_DIR: join(folder, "alone") };
  });

  it("db:uri says that none is running", async () => {
    const { code, stdout, errors } = await outcome(["db-uri"], settings);
    expect(errors).toEqual([expect.stringContaining("No database is running")]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  });

  it("is refused in one line when it is called the wrong way, and does nothing", async () => {
    const { code, stdout, errors } = await outcome(["token", "ann@example.com"], settings);
    expect(errors).toEqual([expect.stringContaining("Usage: npm run token -- ")]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(await readdir(settings.DATA_DIR).catch(() => null)).toBeNull();
  });

  it("starts a database for as long as it runs", async () => {
    const good = await file("alone.json", platform());
    expect((await outcome(["db-import", good], settings)).code).toBe(0);
    await nothingLeft(settings.DATA_DIR);
    expect(await outcome(["ratings", "check"], settings)).toMatchObject({ code: 0, stdout: "" });
    await nothingLeft(settings.DATA_DIR);
  });

  it("brings the embedded database of an earlier version to the present layout", async () => {
    const earlier = { ...settings, DATA_DIR: join(folder, "earlier") };
    const { uri, release } = await acquireDatabase({ dataDir: earlier.DATA_DIR });
    try {
      await withConnection(uri, async ({ db }) => {
        await db!.collection<{ _id: string }>("sessions").insertOne({ _id: "an old session" });
        expect(await outcome(["ratings", "check"], earlier)).toMatchObject({ code: 0 });
        const sessions = db!.collection("tourReviews.sessions");
        expect(await sessions.find().toArray()).toEqual([{ _id: "an old session" }]);
        expect(await db!.listCollections({ name: "sessions" }).toArray()).toEqual([]);
      });
    } finally {
      await release();
    }
  });

  it("db:indexes says what it would build and what prevents it, and then builds it", async () => {
    const elsewhere = { MONGODB_URI: databaseUri(`indexes_${process.pid}`) };
    await withConnection(elsewhere.MONGODB_URI, async ({ db }) => {
      const users = db!.collection("users");
      await users.insertMany([
        { email: "ann@platform.example" },
        { email: "Ann@platform.example" },
      ]);
      await db!.collection("tours").createIndex({ slug: 1 }, { unique: true });

      const dry = await outcome(["db-indexes", "--dry-run"], elsewhere);
      expect(dry.code).toBe(1);
      expect(dry.stdout).toContain("users tourReviews.email_1: cannot be built\n");
      expect(dry.stdout).toContain("tours tourReviews.slug_1: is there as slug_1\n");
      expect(dry.stdout).toContain("tours tourReviews.createdById_1: would be built\n");
      expect(dry.errors).toEqual([expect.stringMatching(/^users: .* the same email /)]);
      const found = await db!.listCollections().toArray();
      expect(found.map(({ name }) => name).sort()).toEqual(["tours", "users"]);
      expect(await users.indexes()).toHaveLength(1);

      const refused = await outcome(["db-indexes"], elsewhere);
      expect(refused).toMatchObject({ code: 1, stdout: "", errors: dry.errors });
      const start = { ...elsewhere, DATA_DIR: join(folder, "in-the-way") };
      const port = String(await freePort());
      const started = await outcome(["start"], { ...start, PORT: port });
      expect(started).toMatchObject({ code: 1, stdout: "", errors: dry.errors });

      await users.deleteOne({ email: "Ann@platform.example" });
      const built = await outcome(["db-indexes"], elsewhere);
      expect(built).toMatchObject({ code: 0, errors: [] });
      expect(built.stdout).toContain("users tourReviews.email_1: built\n");
      const again = await outcome(["db-indexes", "--dry-run"], elsewhere);
      expect(again.code).toBe(0);
      expect(again.stdout).toContain("users tourReviews.email_1: is there\n");
      expect(again.stdout).not.toContain("would be");
      await db!.dropDatabase();
    });
  });

  it("uses the server of MONGODB_URI, and leaves its other collections alone", async () => {
    const uri = databaseUri(`commands_${process.pid}`);
    await withConnection(uri, ({ db }) =>
      db!.collection<{ _id: string }>("sessions").insertOne({ _id: "a session of the platform" }),
    );
    const elsewhere = { DATA_DIR: join(folder, "elsewhere"), MONGODB_URI: uri };
    expect((await outcome(["db-uri"], elsewhere)).last).toBe(uri);
    const good = await file("elsewhere.json", platform());
    expect((await outcome(["db-import", good], elsewhere)).code).toBe(0);
    const token = await outcome(["token", "--email", "ann@platform.example"], elsewhere);
    expect(token.code).toBe(0);
    await withConnection(uri, async ({ db }) => {
      expect(await db!.collection("tours").distinct("slug")).toEqual(["old-town-walk"]);
      expect(await db!.collection("sessions").find().toArray()).toEqual([
        { _id: "a session of the platform" },
      ]);
      await db!.dropDatabase();
    });
    expect(await readdir(elsewhere.DATA_DIR).catch(() => [])).not.toContain("database");
  });
});

it.each(["bench", "test-faults"] as const)(
  "%s, which uses what the tests use, begins without settings",
  async (command) => {
    const { code, stdout, errors } = await outcome([command, "--help"], {});
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(stdout).toMatch(/^Usage: npm run /);
  },
);

describe("npm run dev", () => {
  it("serves, follows changes, ends with everything that it started, and leaves no build for npm start", async () => {
    const cwd = await copyCheckout("dev-checkout");
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const settings = { DATA_DIR: join(folder, "dev"), PORT: String(port) };
    const builds = (await readdir(join(cwd, "build"))).filter((name) => name !== "development");
    const dev = run(["dev"], settings, { cwd, npm: true });
    const answers = () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(answers, 120);
    expect((await call({ url }, "GET", "/")).text).toContain("Tour Reviews</title>");

    for (const path of [
      "app/routes/healthz.ts",
      "models/tour.ts",
      "emails/review-notification.tsx",
    ]) {
      const seen = () => dev.stdout().includes(path);
      // Again and again, because it begins to watch files only a moment after it begins to serve.
      await until(async () => {
        if (!seen()) await appendFile(join(cwd, path), "\n");
        await delay(500);
        return seen();
      }, 120);
      await until(() => /rebuilt.*app server ready/s.test(dev.stdout().split(path).pop()!), 120);
    }
    await until(answers);

    dev.child.kill("SIGTERM");
    expect(await dev.ended).toBe(0);
    await nothingLeft(settings.DATA_DIR);
    // Nothing that `npm start` would serve; what it does with sources that are not built is in build.test.ts.
    expect((await readdir(join(cwd, "build"))).sort()).toEqual([...builds, "development"].sort());
  }, 600_000);
});
