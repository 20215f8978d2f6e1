import { existsSync } from "node:fs";
import { join } from "node:path";
import { type mongo, Types } from "mongoose";
import { beforeAll, describe, expect, it } from "vitest";
import { DEMO_PASSWORD } from "~/accounts/log-in/demo-log-ins.server";
import { findDatabase } from "../../scripts/database/index";
import { demoLogins } from "../../scripts/demo/index";
import { withConnection } from "../../scripts/lib/database-copy";
import { call, logIn } from "../support/app";
import { INPUTS } from "../support/mail";
import { folder, outcome, run, type Site, start, until, useCommands } from "../support/commands";

// The commands that operators run while the site serves.

useCommands();

let site: Site;
let uri: string;
beforeAll(async () => {
  const dataDir = join(folder, "site");
  // Otherwise the demo's guests are asked for reviews, by day.
  site = await start({ DATA_DIR: dataDir, REVIEW_REQUESTS: "off" });
  uri = (await findDatabase(dataDir))!;
});

const npm = (...args: [string, ...string[]]) => outcome(args, site.settings);

const withDb = <Result>(work: (db: mongo.Db) => Promise<Result>) => withConnection(uri, work);

describe("npm run mails", () => {
  it("lists e-mails that were given up, and makes the site send them again", async () => {
    const id = await withDb(async (db) => {
      const review = (await db.collection("reviews").findOne({}))!;
      const tour = (await db.collection("tours").findOne({ _id: review.tourId }))!;
      const at = new Date(Date.now() - 3 * 60 * 60 * 1_000);
      await db.collection("tourReviews.notifications").insertOne({
        _id: review._id,
        guideId: tour.createdById,
        explorerId: review.userId,
        kind: "review",
        state: "dead",
        attempts: 1,
        failure: "SendGrid: 400 no <gwen@example.test>\nor (x@y.test)",
        createdAt: at,
        dueAt: at,
        retryUntil: at,
        endedAt: at,
        inputs: INPUTS,
      });
      return review._id.toString();
    });

    const listed = await npm("mails", "list");
    expect(listed).toMatchObject({
      code: 0,
      stdout: `${id} given-up review to g…@example.test: 3 h old, 1 attempt: SendGrid: 400 no <g…@example.test> or (x…@y.test)\n`,
      errors: ["0 waiting", "1 given-up"],
    });
    expect((await npm("mails", "list", "--state", "captured")).stdout).toBe("");

    const retried = await npm("mails", "retry", "--given-up");
    expect(retried).toMatchObject({
      code: 0,
      stdout: "",
      errors: ["1 due now; the running site sends it, or the next one that starts."],
    });
    const mails = () => npm("mails", "list", "--state", "captured");
    await until(async () => (await mails()).stdout.startsWith(`${id} captured review to `));
    const again = await npm("mails", "retry", id);
    expect(again).toMatchObject({
      code: 1,
      errors: [`E-mail ${id}: it was captured, because there was no SENDGRID_API_KEY`],
    });
  });
});

describe("npm run token", () => {
  const { email } = demoLogins[0]!;
  const asks = (token: string) => call(site, "DELETE", `/api/reviews/${"0".repeat(24)}`, { token });

  it("makes one that expires, which list shows and revoke ends", async () => {
    const made = await npm("token", "--email", email, "--name", "A script", "--expires", "1");
    expect(made.code).toBe(0);
    expect(made.errors).toEqual([expect.stringMatching(/, which expires at 20.*Z, shown only/)]);
    // 404 and not 401: the token's user is known.
    expect((await asks(made.last!)).status).toBe(404);

    const listed = await npm("token", "list", "--email", email.toUpperCase());
    const line = /^([0-9a-f]{24}) A script: created .*Z, (?:last|never) used.*, expires 20.*Z$/m;
    const id = line.exec(listed.stdout)![1]!;
    expect(listed.stdout).not.toContain(made.last);
    expect(await npm("token", "revoke", id)).toMatchObject({
      code: 0,
      stdout: "",
      errors: [expect.stringMatching(/^Revoked the token A script of the user [0-9a-f]{24}\.$/)],
    });
    expect((await asks(made.last!)).status).toBe(401);
    expect(await npm("token", "revoke", id)).toMatchObject({
      code: 1,
      stdout: "",
      errors: [`There is no access token ${id}`],
    });
  });

  it("makes one of the platform's own programs only with --service, and lists those", async () => {
    expect(await npm("token", "--email", "")).toMatchObject({ code: 1, stdout: "" });
    const { last } = await npm("token", "--service", "--name", "Sync");
    // No user: who is asked for one is nobody.
    expect((await asks(last!)).status).toBe(401);
    const body = { status: "COMPLETED" };
    const path = `/api/bookings/${"0".repeat(24)}`;
    expect((await call(site, "PATCH", path, { token: last!, body })).status).toBe(404);
    expect((await npm("token", "list", "--service")).stdout).toMatch(
      /^[0-9a-f]{24} Sync: created/m,
    );
    expect((await npm("token", "list", "--email", email)).stdout).not.toContain("Sync");
  });
});

describe("npm run users", () => {
  const { email } = demoLogins[1]!;
  const spelled = email.toUpperCase();
  const user = (action: string, ...more: string[]) =>
    npm("users", action, "--email", spelled, ...more);

  it("shows a user's data, and exports what they could download", async () => {
    const cookie = await logIn(site, email, DEMO_PASSWORD);
    const shown = await user("show");
    expect(shown).toMatchObject({ code: 0, errors: [] });
    expect(shown.stdout).toMatch(new RegExp(`^id: [0-9a-f]{24}\\nname: .+\\nemail: ${email}\\n`));
    expect(shown.stdout).toMatch(/^log-ins: 1\nvalid access tokens: 0\nreviews: [1-9]/m);
    const exported = await user("export");
    expect(exported).toMatchObject({ code: 0, errors: [expect.stringMatching(/^Exported /)] });
    const { text } = await call(site, "GET", "/me/data.json", { cookie });
    // A receipt is signed anew each time.
    const parsed = (json: string) =>
      JSON.parse(json, (key, value: unknown) =>
        key === "receipt" ? typeof value : value,
      ) as object;
    expect(parsed(exported.stdout)).toEqual({
      ...parsed(text),
      sessions: [expect.objectContaining({ browser: null })],
    });
  });

  it("ends without a word when nobody reads what it prints", async () => {
    const command = run(["users", "export", "--email", email], site.settings);
    command.child.stdout!.destroy();
    expect([await command.ended, command.stderr()]).toEqual([1, ""]);
  });

  it("ends all log-ins and access tokens", async () => {
    const cookie = await logIn(site, email, DEMO_PASSWORD);
    const { last: token } = await npm("token", "--email", email);
    expect((await call(site, "GET", "/me", { cookie })).status).toBe(200);
    const ended = await user("log-out");
    expect(ended).toMatchObject({ code: 0, stdout: "" });
    expect(ended.errors[0]).toMatch(/^Ended 2 log-ins and 1 access token of the user [0-9a-f]{24}/);
    expect((await call(site, "GET", "/me", { cookie })).status).toBe(302);
    const path = `/api/reviews/${"0".repeat(24)}`;
    expect((await call(site, "DELETE", path, { token })).status).toBe(401);
  });

  it("deletes nobody if the site's secret is unknown, and makes no new one", async () => {
    const elsewhere = { DATA_DIR: join(folder, "elsewhere"), MONGODB_URI: uri };
    const email = demoLogins[0]!.email;
    expect(await outcome(["users", "delete", "--email", email, "--yes"], elsewhere)).toMatchObject({
      code: 1,
      stdout: "",
      errors: [expect.stringMatching(/^SESSION_SECRET is not set/)],
    });
    expect(existsSync(join(elsewhere.DATA_DIR, "session-secret"))).toBe(false);
    expect((await outcome(["users", "show", "--email", email], elsewhere)).code).toBe(0);
  });

  it("deletes an account with its reviews", async () => {
    const id = /^id: (.*)$/m.exec((await user("show")).stdout)![1]!;
    expect(await user("delete", "--yes")).toMatchObject({
      code: 0,
      stdout: "",
      errors: [
        `Deleted the account of the user ${id}.`,
        expect.stringMatching(/^(Nothing of it is left|The running site deletes what is left)/),
      ],
    });
    const left = () =>
      withDb(async (db) => {
        const userId = new Types.ObjectId(id);
        return [
          await db.collection("reviews").countDocuments({ userId }),
          await db.collection("tourReviews.accountDeletions").countDocuments({}),
        ];
      });
    await until(async () => (await left()).every((count) => count === 0));
    expect(await npm("ratings", "check")).toMatchObject({ code: 0, stdout: "" });
    expect(await user("show")).toMatchObject({
      code: 1,
      stdout: "",
      errors: [`There is no user with the e-mail address ${spelled}`],
    });
  });
});
