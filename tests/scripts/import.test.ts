import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkRatings } from "~/reviews/ratings.server";
import { Booking } from "#models/booking";
import { Review } from "#models/review";
import { User } from "#models/user";
import { call, startApp, tokenOf, type App } from "../support/app";
import { folder, outcome, run, until, useCommands } from "../support/commands";
import { contents, databaseUri, emptyDatabase, useDatabase } from "../support/database";
import { id, oid, review, tour, user } from "../support/import-records";

// npm run db:import in a process of its own: interrupted, and next to a site in use.

useCommands();
useDatabase();
const settings = () => ({ DATA_DIR: join(folder, "unused"), MONGODB_URI: databaseUri() });

/** An import file with one tour that has more reviews than one transaction writes, and some with a few. */
async function platformFile(): Promise<string> {
  // The guide is one of them, and reviews nothing.
  const users = Array.from({ length: 800 }, (_, index) => user(index));
  users.push(user(800, { id: id("e", 0) }));
  const tours = Array.from({ length: 6 }, (_, index) => tour(index));
  const reviews = Array.from({ length: 1_000 }, (_, index) =>
    review(index, {
      userId: id("a", index % 800),
      tourId: id("b", index < 800 ? 0 : 1 + (index % 5)),
      rating: 1 + (index % 5),
    }),
  );
  const file = join(folder, "platform.json");
  await writeFile(file, JSON.stringify({ users, tours, reviews }));
  return file;
}

/** Everything except times and the versions of the lists: an import may make any number of them. */
async function imported() {
  const { tours, "tourReviews.changes": entries, ...others } = await contents();
  const changes = entries!.map(({ tourId, version, type, review, before, stars, count, mean }) =>
    JSON.stringify({ tourId, version, type, review, before, stars, count, mean }),
  );
  return {
    ...others,
    tours: tours!.map(({ ratingsVersion: _, lastChange: __, ...rest }) => rest),
    changes: changes.sort(),
  };
}

describe("an import that is interrupted", () => {
  it("leaves ratings that match the reviews, and is completed by running it again", async () => {
    const file = await platformFile();
    expect(await outcome(["db-import", file], settings())).toMatchObject({ code: 0 });
    const whole = await imported();

    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      await emptyDatabase();
      const cutOff = run(["db-import", file], settings(), { npm: signal !== "SIGKILL" });
      await until(async () => (await Review.estimatedDocumentCount()) > 0, 120);
      cutOff.child.kill(signal);
      const code = signal === "SIGKILL" ? signal : 143;
      expect(await cutOff.ended).toBe(code);
      const written = await Review.countDocuments();
      expect(written).toBeGreaterThan(0);
      expect(written).toBeLessThan(1_000);
      expect(await checkRatings()).toEqual([]);
      if (signal !== "SIGKILL")
        expect(cutOff.stderr().replace(/^.*…\n/gm, "")).toBe(
          `Stopped: 801 of 801 users, 6 of 6 tours, ${written.toLocaleString("en")} of 1,000 reviews are written, and the ratings match the reviews. Run it again to complete it.\n`,
        );

      // The database ends the transaction of a killed process after a while.
      expect(await outcome(["db-import", file], settings())).toMatchObject({ code: 0 });
      expect(await imported()).toEqual(whole);
    }
  });
});

describe("an import next to a site in use", () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp(databaseUri());
  });
  afterAll(() => app.stop());

  it("shows every tour's reviews together with their ratings, and accepts reviews during the import", async () => {
    const file = await platformFile();
    const [tourId, ann] = [id("b", 0), oid(id("f" as "a", 1))];
    await User.create({ _id: ann, name: "Ann", email: "ann@example.test" });
    await Booking.create({ userId: ann, tourId: oid(tourId), status: "COMPLETED" });
    const token = await tokenOf({ email: "ann@example.test" });

    const importing = outcome(["db-import", file], settings());
    let over = false;
    void importing.finally(() => (over = true));
    await until(async () => over || (await Review.estimatedDocumentCount()) > 0, 120);
    expect(over).toBe(false);
    const body = { tourId, rating: 1, comment: "In the middle" };
    const posted = await call(app, "POST", "/api/reviews", { token, body });
    expect(posted).toMatchObject({ status: 201 });
    expect(over).toBe(false);
    while (!over) expect(await checkRatings()).toEqual([]);

    expect(await importing).toMatchObject({ code: 0 });
    expect(await checkRatings()).toEqual([]);
    expect(await Review.countDocuments({ tourId: oid(tourId) })).toBe(801);
    const shown = await call(app, "GET", `/api/tours/${tourId}`);
    expect(shown.json).toMatchObject({ tour: { reviewCount: 801 } });
  });
});
