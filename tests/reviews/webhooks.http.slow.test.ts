import { afterAll, beforeAll, expect, it } from "vitest";
import { webhookId } from "~/reviews/webhooks/addresses.server";
import { Change } from "#models/change";
import { Webhook } from "#models/webhook";
import { answeringProcesses, type App, call, startSite, tokenOf } from "../support/app";
import { outcome } from "../support/commands";
import { databaseUri } from "../support/database";
import { makeBookedExplorer, makeTour } from "../support/factories";
import { useApp } from "../support/shared-app";
import { isSigned, KEY, Receiver, secretOf } from "../support/webhooks";

// docs/rules/webhooks.md: a site of two processes.

useApp({ emptied: "once" });

let receiver: Receiver;
let site: App;
let settings: Record<string, string>;
beforeAll(async () => {
  receiver = await new Receiver().listen();
  settings = { WEBHOOK_URLS: receiver.url, WEBHOOK_SECRET: secretOf(KEY) };
  // As if the site had been started before.
  const [now, address] = [new Date(), receiver.url.replace(/\?.*/, "")];
  const times = { since: now, dueAt: now, seenAt: now };
  await Webhook.create({ _id: webhookId(receiver.url), address, ...times });
  site = await startSite(databaseUri(), settings);
});
afterAll(async () => {
  await site.stop();
  await receiver.close();
});

async function post(count: number): Promise<void> {
  const tour = await makeTour();
  for (let n = 0; n < count; n++) {
    const token = await tokenOf(await makeBookedExplorer(tour));
    const body = { tourId: tour._id.toString(), rating: 1 + (n % 5) };
    expect((await call(site, "POST", "/api/reviews", { token, body })).status).toBe(201);
  }
}

/** The versions that the entries have, by tour. */
async function allVersions(): Promise<Record<string, number[]>> {
  const versions: Record<string, number[]> = {};
  for (const { tourId, version } of await Change.find().sort({ version: 1 }).lean())
    (versions[tourId.toString()] ??= []).push(version);
  return versions;
}

async function everythingArrives(): Promise<void> {
  const all = await allVersions();
  await expect.poll(() => receiver.versions()).toEqual(all);
}

const command = (...args: string[]) =>
  outcome(["webhooks", ...args], { MONGODB_URI: databaseUri(), ...settings });

it("an address has the events of posted reviews", async () => {
  await post(3);
  await everythingArrives();
  expect(receiver.attempts).toHaveLength(3);
  for (const attempt of receiver.attempts) expect(isSigned(attempt, KEY)).toBe(true);
});

it("it has all of them after a kill -9 of the whole site while it hung", async () => {
  receiver.answer = () => "hang";
  const before = receiver.attempts.length;
  await post(3);
  await expect.poll(() => receiver.attempts.length).toBeGreaterThan(before);
  const pids = await answeringProcesses(site);
  site.process.kill("SIGKILL");
  for (const pid of pids) process.kill(pid, "SIGKILL");
  receiver.answer = () => 204;
  site = await startSite(databaseUri(), settings);
  await post(2);
  await everythingArrives();
  expect(site.log()).not.toContain("quokka");
});

it("the command lists it, and lets the site send again", async () => {
  const listed = await command("list");
  expect(listed.last).toMatch(/^[0-9a-f]{12} http:\/\/127\.0\.0\.1:\d+\/hooks: nothing waits$/);
  expect(listed.errors).toEqual(["1 address"]);
  const events = receiver.events.length;
  const { code, errors } = await command("resend", receiver.url, "--from", "2026-01-01");
  expect([code, errors]).toEqual([
    0,
    ["The running site sends everything since 2026-01-01 again, or the next one that starts."],
  ]);
  await expect.poll(() => receiver.events.length).toBe(events + (await Change.countDocuments()));
  const [id] = listed.last!.split(" ");
  const elsewhere = { MONGODB_URI: databaseUri(), APP_URL: "http://localhost:3000" };
  const { stdout } = await outcome(["webhooks", "list"], elsewhere);
  expect(stdout).toMatch(new RegExp(`^${id} .*, not in WEBHOOK_URLS\n$`));
  const wrong = await command("resend", "https://other.example/", "--from", "2026-01-01");
  expect([wrong.code, wrong.errors]).toEqual([
    1,
    ["There is no such address: see npm run webhooks -- list"],
  ]);
});
