import { setTimeout as sleep } from "node:timers/promises";
import mongoose from "mongoose";
import { withDatabaseName } from "~/config/mongodb-uri";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { Notification } from "#models/notification";
import { Review } from "#models/review";
import { call, tokenOf, type App } from "../support/app";
import { dropDatabase } from "../support/collections";
import { makeBookedExplorer, makeTour, random } from "../support/factories";
import { type SendGridStandIn, startSendGrid } from "../support/mail";
import type { PartReport } from "./report";
import { eachOf, median, serve, withDatabase } from "./support";

const KEY = "SG.a-key-that-no-log-may-hold";
const MAILS = 400;
const DELIVERY_MS = 180_000;
const POSTS = 100;
const WARM_UP = 10;
/** A post that waited for SendGrid would take hundreds of times as long. */
const SLOWER = 1.5;

/** Explorers who post and delete the review of a tour again and again, and how often. */
const PAIRS = 6;
const ROUNDS = 15;
/** After how many of the rounds a process is killed. */
const KILL_EVERY = 3;
/** As docs/rules/mail.md promises. */
const MAILS_OF_A_PAIR = 3;

/**
 * Every e-mail arrives although SendGrid sometimes fails, no post waits for a SendGrid that hangs, and nobody fills a
 * guide's mailbox.
 */
export default async function mail(report: PartReport): Promise<void> {
  await faulty(report);
  await hanging(report);
  await repeated(report);
}

const settingsFor = (sendGrid: SendGridStandIn) => ({
  SENDGRID_API_KEY: KEY,
  SENDGRID_BASE_URL: sendGrid.url,
  MAIL_FROM: "reviews@example.test",
  LOG_LEVEL: "trace",
});

async function faulty(report: PartReport): Promise<void> {
  const sendGrid = await startSendGrid();
  const draw = random(1);
  const faults = { 503: 0, 429: 0, reset: 0, hang: 0 };
  sendGrid.answer = () => {
    if (draw() >= 0.2) return 202;
    const fault = ([503, 429, "reset", "hang"] as const)[Math.floor(draw() * 4)]!;
    faults[fault]++;
    return fault;
  };
  await withDatabase(async (uri) => {
    const settings = settingsFor(sendGrid);
    const apps = await Promise.all([serve(uri, settings), serve(uri, settings)]);
    const posts = await makePosts(MAILS);
    await eachOf(posts.entries(), 8, async ([n, post]) => {
      const { status } = await call(apps[n % 2]!, "POST", "/api/reviews", post);
      if (status !== 201) throw new Error(`A review was refused: ${status}`);
    });
    const count = () => {
      const comments = sendGrid.mails.map(
        ({ content }) => /\(mail \d+\)/.exec(content[0]!.value)?.[0],
      );
      return posts.map(({ body }) => comments.filter((comment) => comment === body.comment).length);
    };
    const deadline = Date.now() + DELIVERY_MS;
    while (count().includes(0) && Date.now() < deadline) await sleep(500);
    const counts = count();
    const missing = counts.filter((times) => times === 0).length;
    const twice = counts.filter((times) => times > 1).length;
    const list = Object.entries(faults).map(([fault, times]) => `${times} ${fault}`);
    report.check(
      "a SendGrid that fails a fifth of the time, two processes: every mail is delivered",
      `${MAILS - missing} of ${MAILS} (${list.join(", ")})`,
      missing === 0 && Object.values(faults).every((times) => times > 0),
    );
    report.check("of those, delivered twice", `${twice} (under 1 %)`, twice < MAILS / 100);

    await Promise.all(apps.map((app) => app.stop()));
    const log = apps.map((app) => app.log()).join("");
    const collections = await mongoose.connection.db!.collections();
    const stored = await Promise.all(collections.map((collection) => collection.find().toArray()));
    const told = log.includes("e-mail failed");
    const leaks = [log, JSON.stringify(stored)].map((text) => text.split(KEY).length - 1);
    report.check(
      "SendGrid's key in the logs and in the database",
      `${leaks.join(" and ")} times in ${log.split("\n").length - 1} lines`,
      told && leaks.every((times) => times === 0),
    );
  });
  sendGrid.close();
}

/** Two apps next to each other, each with a database of its own; the SendGrid of one hangs. */
async function hanging(report: PartReport): Promise<void> {
  const [well, hangs] = [await startSendGrid(), await startSendGrid()];
  hangs.answer = () => "hang";
  await withDatabase(async (uri) => {
    await disconnectDatabase();
    const sides: { app: App; posts: Post[]; times: number[] }[] = [];
    for (const [n, sendGrid] of [well, hangs].entries()) {
      const own = withDatabaseName(uri, `faults_${process.pid}_${n}`);
      await connectDatabase(own);
      const posts = await makePosts(WARM_UP + POSTS);
      await disconnectDatabase();
      sides.push({ app: await serve(own, settingsFor(sendGrid)), posts, times: [] });
    }
    for (let n = 0; n < WARM_UP + POSTS; n++)
      for (const { app, posts, times } of sides) {
        const began = performance.now();
        const { status } = await call(app, "POST", "/api/reviews", posts[n]);
        if (status !== 201) throw new Error(`A review was refused: ${status}`);
        if (n >= WARM_UP) times.push(performance.now() - began);
      }
    const [normal, slow] = sides.map(({ times }) => median(times)) as [number, number];
    report.check(
      "a POST's time while SendGrid hangs and while it answers, ratio of medians",
      `${(slow / normal).toFixed(2)} (${hangs.attempts.length} mails hung)`,
      slow / normal < SLOWER && hangs.attempts.length > 0,
    );
    await Promise.all(sides.map(({ app }) => app.stop()));
    for (const n of sides.keys()) {
      await connectDatabase(withDatabaseName(uri, `faults_${process.pid}_${n}`));
      await dropDatabase(mongoose.connection);
      await disconnectDatabase();
    }
  });
  for (const sendGrid of [well, hangs]) sendGrid.close();
}

/** Two processes are killed in turn while explorers post reviews, let their e-mails go, and delete them. */
async function repeated(report: PartReport): Promise<void> {
  const sendGrid = await startSendGrid();
  await withDatabase(async (uri) => {
    const start = () => serve(uri, settingsFor(sendGrid));
    const apps = [await start(), await start()];
    const posts = await makePosts(PAIRS);
    /** Asks until a process lives long enough to answer. */
    const ask = async (n: number, ...request: [method: string, path: string, options: object]) => {
      for (;;) {
        const answer = await call(apps[n++ % 2]!, ...request).catch(() => null);
        if (answer && answer.status < 500) return;
        await sleep(50);
      }
    };
    for (let round = 0; round < ROUNDS; round++) {
      const killed = round % KILL_EVERY === KILL_EVERY - 1 ? (round / KILL_EVERY) & 1 : null;
      const rounds = posts.map(async ({ token, body }, pair) => {
        const comment = `(pair ${pair}, round ${round})`;
        await ask(round, "POST", "/api/reviews", { token, body: { ...body, comment } });
        const review = await Review.findOne({ comment }, "_id").lean();
        // The e-mail goes within the moments that others take.
        await sleep(100 * pair);
        if (review && round < ROUNDS - 1)
          await ask(round, "DELETE", `/api/reviews/${String(review._id)}`, { token });
      });
      if (killed !== null) {
        await sleep(150);
        apps[killed]!.process.kill("SIGKILL");
        apps[killed] = await start();
      }
      await Promise.all(rounds);
    }
    await sleep(5_000);
    const texts = sendGrid.mails.map(({ content }) => content[0]!.value);
    const sent = posts.map(
      (_, pair) =>
        new Set(texts.flatMap((text) => new RegExp(`pair ${pair}, round \\d+`).exec(text) ?? []))
          .size,
    );
    const waiting = await Notification.countDocuments({ kind: "review", state: "pending" });
    report.check(
      `of ${ROUNDS} reviews that each of ${PAIRS} explorers posts and deletes, those that the guide is told of`,
      `${sent.join(", ")} (${MAILS_OF_A_PAIR} within an hour; ${waiting} wait)`,
      sent.every((reviews) => reviews > 0 && reviews <= MAILS_OF_A_PAIR) && waiting === PAIRS,
    );
    await Promise.all(apps.map((app) => app.stop()));
  });
  sendGrid.close();
}

interface Post {
  token: string;
  body: { tourId: string; rating: number; comment: string };
}

/** The times of posts by that many explorers, each on one tour, with a comment of its own. */
async function makePosts(count: number): Promise<Post[]> {
  const tours = await Promise.all(Array.from({ length: 20 }, () => makeTour()));
  const posts: Post[] = [];
  await eachOf(Array(count).keys(), 8, async (n) => {
    const tour = tours[n % tours.length]!;
    const token = await tokenOf(await makeBookedExplorer(tour));
    posts.push({ token, body: { tourId: tour._id.toString(), rating: 4, comment: `(mail ${n})` } });
  });
  return posts;
}
