import { appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import mongoose from "mongoose";
import { beforeAll, describe, expect, it } from "vitest";
import { DEMO_PASSWORD } from "~/accounts/log-in/demo-log-ins.server";
import { version } from "../../package.json";
import { findDatabase } from "../../scripts/database/index";
import { demoLogins } from "../../scripts/demo/index";
import { acquireDatabase } from "../../scripts/database/index";
import { withConnection } from "../../scripts/lib/database-copy";
import { freePort } from "../../scripts/lib/ports";
import { call, logIn } from "../support/app";
import {
  copyCheckout,
  file,
  folder,
  nothingLeft,
  outcome,
  run,
  type Site,
  start,
  stop,
  until,
  useCommands,
} from "../support/commands";
import { databaseUri } from "../support/database";
import { id, platform } from "../support/import-records";

useCommands();

const ANN = "user2@example.test";

const tourId = id("b", 0);

describe("a site started with npm start", () => {
  let dataDir: string;
  let site: Site;
  let uri: string;
  beforeAll(async () => {
    dataDir = join(folder, "site");
    site = await start({ DATA_DIR: dataDir });
    uri = (await findDatabase(dataDir))!;
  });

  it("serves the demo data and says where, and who can log in", async () => {
    expect(await (await fetch(`${site.url}/healthz`)).json()).toEqual({ status: "ok" });
    for (const said of [
      `Tour Reviews is at ${site.url}\n`,
      `\nVersion ${version}\n`,
      `"${DEMO_PASSWORD}"`,
      "(BOOKING_COMPLETION=automatic)",
      ...demoLogins.map(({ email }) => email),
    ])
      expect(site.stdout()).toContain(said);
    expect(site.stdout()).not.toContain("CONTACT_URL");

    const shown = /^ {2}(\S+@\S+) /m.exec(site.stdout())![1]!;
    const home = await call(site, "GET", "/", { cookie: await logIn(site, shown, DEMO_PASSWORD) });
    expect(home.text).toContain("/logout");
    expect(home.text).toMatch(/href="\/tours\/[a-z-]+"/);
  });

  it("shares its database with every command, and db:uri names it", async () => {
    expect(uri).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\/tour_reviews(\?|$)/);
    expect(await outcome(["db-uri"], site.settings)).toMatchObject({ code: 0, stdout: `${uri}\n` });
    const { email } = demoLogins[0]!;
    const users = (db: mongoose.mongo.Db) => db.collection("users").countDocuments({ email });
    expect(await withConnection(uri, users)).toBe(1);
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
    await logIn(site, ANN, "a password of the platform");
  });

  it("imports nothing from a file with a bad record", async () => {
    const data = platform();
    data.tours[0]!.title = "Another Walk";
    data.users[3]!.email = "no address";
    const bad = await file("bad.json", data);
    const { code, errors } = await outcome(["db-import", bad], site.settings);
    expect([code, errors]).toEqual([1, [expect.stringMatching(/^users\[3\]\.email: .+/)]]);
    const tour = await call(site, "GET", `/api/tours/${tourId}`);
    expect(tour.json).toMatchObject({ tour: { title: "Old Town Walk" } });
  });

  it("accepts the token of a user", async () => {
    const { code, last, stdout } = await outcome(["token", "--email", ANN], site.settings);
    expect([code, stdout]).toEqual([0, `${last}\n`]);
    const body = { tourId, rating: 5, comment: "Kept" };
    const { status, json } = await call(site, "POST", "/api/reviews", { token: last, body });
    expect([status, json]).toMatchObject([201, { review: { rating: 5, user: { name: "Ann" } } }]);
  });

  it("has its ratings checked and rebuilt", async () => {
    const _id = new mongoose.Types.ObjectId(tourId);
    const spoil = (db: mongoose.mongo.Db) =>
      db.collection("tours").updateOne({ _id }, { $set: { avgRating: 1.5 } });
    expect(await withConnection(uri, spoil)).toMatchObject({ modifiedCount: 1 });
    const check = await outcome(["ratings", "check"], site.settings);
    expect(check).toMatchObject({ code: 1, errors: [] });
    expect(check.stdout).toMatch(/^[^\n]+\n$/);
    expect(check.stdout).toMatch(new RegExp(`^${tourId} old-town-walk: .*1\\.5.*\\b4\\b`));

    expect((await outcome(["ratings", "rebuild"], site.settings)).code).toBe(0);
    const tour = await call(site, "GET", `/api/tours/${tourId}`);
    expect(tour.json).toMatchObject({ tour: { avgRating: 4, reviewCount: 2 } });
  });

  it("has its reviews marked as verified where a completed booking exists, also when that is checked again", async () => {
    await withConnection(uri, async (db) => {
      const reviews = db.collection("reviews");
      // All reviews of the demo data, and those of the imported platform.
      expect(await reviews.countDocuments({ verified: { $ne: true } })).toBe(0);
      const some = await reviews.find().limit(20).toArray();
      const unmark = { $unset: { verified: "" } } as const;
      await reviews.updateMany({ _id: { $in: some.map(({ _id }) => _id) } }, unmark);
      const { code, errors, stdout } = await outcome(["reviews", "verify"], site.settings);
      const all = await reviews.countDocuments();
      expect(errors).toEqual([
        `Looked at ${all} reviews: ${all} with a completed booking, 20 changed.`,
      ]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
      expect(await reviews.countDocuments({ verified: true })).toBe(all);
    });
  });

  it("ends with everything that it started, has all its data at the next start, and then closes the demo log-ins if it is public", async () => {
    const { email } = demoLogins[0]!;
    const cookie = await logIn(site, email, DEMO_PASSWORD);
    const { last: token } = await outcome(["token", "--email", email], site.settings);
    await stop(site);

    const settings = { DATA_DIR: dataDir, APP_URL: "http://reviews.example.com" };
    const again = await start(settings);
    expect(again.stderr()).not.toContain("demo data");
    const list = await call(again, "GET", `/api/reviews?tourId=${tourId}`);
    expect(list.json).toMatchObject({ reviews: [{ comment: "Kept" }, { comment: "Short" }] });
    expect(again.stdout()).toMatch(/^Demo log-ins are closed, .*DATA_DIR or MONGODB_URI.*$/m);
    expect(again.stdout()).toMatch(
      /^Visitors .* to write to reviews@localhost, .*: set CONTACT_URL$/m,
    );
    expect(again.stdout()).not.toContain(DEMO_PASSWORD);
    expect(again.stdout()).not.toContain("@example.org");
    await expect(logIn(again, email, DEMO_PASSWORD)).rejects.toThrow("400");
    expect((await call(again, "GET", "/me", { cookie })).status).toBe(302);
    expect((await call(again, "DELETE", "/api/reviews/1", { token })).status).toBe(401);

    process.kill(-again.child.pid!, "SIGINT"); // Ctrl-C
    expect(await again.ended).toBe(0);
    await nothingLeft(dataDir);
    await expect(fetch(`${again.url}/healthz`)).rejects.toThrow();
  });
});

describe("a start that is stopped or fails", () => {
  it("ends while it is still loading the demo data", async () => {
    const early = { DATA_DIR: join(folder, "early"), PORT: String(await freePort()) };
    const { child, stdout, stderr, ended } = run(["start"], early);
    await until(() => stderr().includes("Loading the demo data"));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(stdout()).toBe("");
    await nothingLeft(early.DATA_DIR);
  });

  it("ends with one line for a MONGODB_URI without a server", async () => {
    const settings = { DATA_DIR: join(folder, "no-server"), PORT: String(await freePort()) };
    const bad = { ...settings, MONGODB_URI: "mongodb://127.0.0.1:1/x" };
    const { code, stdout, errors } = await outcome(["start"], bad);
    expect(errors).toEqual([expect.stringMatching(/MONGODB_URI/)]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    await nothingLeft(bad.DATA_DIR);
  });
});

describe("a command without a running site", () => {
  it("brings the embedded database of an earlier version to the present layout", async () => {
    const earlier = { DATA_DIR: join(folder, "earlier") };
    const { uri, release } = await acquireDatabase({ dataDir: earlier.DATA_DIR });
    try {
      await withConnection(uri, async (db) => {
        await db.collection<{ _id: string }>("sessions").insertOne({ _id: "an old session" });
        expect(await outcome(["ratings", "check"], earlier)).toMatchObject({ code: 0 });
        const sessions = db.collection("tourReviews.sessions");
        expect(await sessions.find().toArray()).toEqual([{ _id: "an old session" }]);
        expect(await db.listCollections({ name: "sessions" }).toArray()).toEqual([]);
      });
    } finally {
      await release();
    }
  });

  it("db:indexes says what it would build and what prevents it, as the start does, and then builds it", async () => {
    const elsewhere = { MONGODB_URI: databaseUri(`indexes_${process.pid}`) };
    await withConnection(elsewhere.MONGODB_URI, async (db) => {
      const users = db.collection("users");
      await users.insertMany([
        { email: "ann@platform.example" },
        { email: "Ann@platform.example" },
      ]);
      await db.collection("tours").createIndex({ slug: 1 }, { unique: true });

      const dry = await outcome(["db-indexes", "--dry-run"], elsewhere);
      expect(dry.code).toBe(1);
      expect(dry.stdout).toContain("users tourReviews.email_1: cannot be built\n");
      expect(dry.stdout).toContain("tours tourReviews.slug_1: is there as slug_1\n");
      expect(dry.stdout).toContain("tours tourReviews.createdById_1: would be built\n");
      expect(dry.errors).toEqual([expect.stringMatching(/^users: .* the same email /)]);
      const found = await db.listCollections().toArray();
      expect(found.map(({ name }) => name).sort()).toEqual(["tours", "users"]);
      expect(await users.indexes()).toHaveLength(1);

      const start = { ...elsewhere, DATA_DIR: join(folder, "in-the-way") };
      const port = String(await freePort());
      const started = await outcome(["start"], { ...start, PORT: port });
      expect(started).toMatchObject({ code: 1, stdout: "", errors: dry.errors });

      await users.deleteOne({ email: "Ann@platform.example" });
      const built = await outcome(["db-indexes"], elsewhere);
      expect(built).toMatchObject({ code: 0, errors: [] });
      expect(built.stdout).toContain("users tourReviews.email_1: built\n");
      expect(await users.indexes()).toContainEqual(
        expect.objectContaining({ name: "tourReviews.email_1" }),
      );
      await db.dropDatabase();
    });
  });

  it("uses the server of MONGODB_URI, and leaves its other collections alone", async () => {
    const uri = databaseUri(`commands_${process.pid}`);
    await withConnection(uri, async (db) => {
      const sessions = db.collection<{ _id: string }>("sessions");
      await sessions.insertOne({ _id: "a session of the platform" });
      const elsewhere = { DATA_DIR: join(folder, "elsewhere"), MONGODB_URI: uri };
      const good = await file("elsewhere.json", platform());
      expect((await outcome(["db-import", good], elsewhere)).code).toBe(0);
      expect(await db.collection("tours").distinct("slug")).toEqual(["old-town-walk"]);
      expect(await sessions.find().toArray()).toEqual([{ _id: "a session of the platform" }]);
      expect(await readdir(elsewhere.DATA_DIR).catch(() => [])).not.toContain("database");
      await db.dropDatabase();
    });
  });
});

describe("npm run dev", () => {
  it("serves, follows changes, ends with everything that it started, and leaves no build for npm start", async () => {
    const cwd = await copyCheckout("dev-checkout");
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const MONGODB_URI = databaseUri(`dev_${process.pid}`);
    const settings = { DATA_DIR: join(folder, "dev"), MONGODB_URI, PORT: String(port) };
    const builds = (await readdir(join(cwd, "build"))).filter((name) => name !== "development");
    const dev = run(["dev"], settings, { cwd, npm: true });
    const answers = () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(answers, 120);
    expect((await call({ url }, "GET", "/")).text).toContain("Tour Reviews</title>");

    // Those of app are Remix's own business.
    for (const path of ["models/tour.ts", "emails/review-notification.tsx"]) {
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
    await withConnection(MONGODB_URI, (db) => db.dropDatabase());
  }, 600_000);
});
