import { readdirSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { rebuildRatings } from "~/reviews/ratings.server";
import { answeringProcesses, call, type App } from "../support/app";
import { insertReviews, makeTour } from "../support/factories";
import { exchange, head, speak } from "../support/sockets";
import type { PartReport } from "./report";
import { eachOf, withSite } from "./support";

const CONNECTIONS = 3_000;
const UNREAD = 40;
/** A client that reads nothing is closed after this many seconds; the machine may take a little longer. */
const [SILENCE_S, LONGEST_S] = [30, 90];

/** Thousands of connections to two processes, which read nothing for longer than is allowed. */
export default async function connections(report: PartReport): Promise<void> {
  await withSite({ MAX_CONNECTIONS: "1000" }, async (site) => {
    const pids = (await answeringProcesses(site)).sort();
    const sockets: Socket[] = [];
    const open = (text: string) => {
      const socket = connect(Number(new URL(site.url).port), "localhost").on("error", () => {});
      sockets.push(socket.pause());
      socket.write(text);
      return socket;
    };

    await eachOf(Array(CONNECTIONS).keys(), 50, async () => {
      const socket = open(head("GET", "/healthz"));
      await new Promise((resolve) => socket.once("readable", resolve).once("close", resolve));
    });
    const answered = await exchange(site, head("GET", "/")).catch(() => null);
    report.check(
      `${CONNECTIONS} connections that stay idle, 1,000 a process: the next one is answered`,
      `${answered?.status}`,
      answered?.status === 200,
    );
    sockets.splice(0).forEach((socket) => socket.destroy());

    await eachOf(Array(200).keys(), 20, async () => {
      const socket = open(head("GET", "/").repeat(2_000)).resume();
      await Promise.race([new Promise((resolve) => socket.once("close", resolve)), sleep(1_000)]);
      socket.destroy();
    });
    report.check(
      "200 times 2,000 pages sent ahead: the next one is answered",
      `${(await call(site, "GET", "/healthz")).status}`,
      (await call(site, "GET", "/healthz")).status === 200,
    );

    const idle = speak(site, head("GET", "/healthz"));
    await idle.answer;
    const unread = await unreadAddresses(site);
    const logged = site.log().length;
    const began = performance.now();
    for (let count = 0; count < UNREAD; count++)
      open(head("GET", unread[count % unread.length]!).repeat(100));
    // Each of them has one answer that is cut off, and no answer after it.
    const closed = () => site.log().slice(logged).split('"aborted":true').length - 1;
    const seconds = () => (performance.now() - began) / 1_000;
    await sleep(SILENCE_S * 900);
    const early = closed();
    while (closed() < UNREAD && seconds() < LONGEST_S) await sleep(500);
    report.check(
      `${UNREAD} connections that read nothing of files, pages and lists, kept and streamed: closed after ${SILENCE_S} s`,
      `${closed()} after ${Math.round(seconds())} s, ${early} sooner`,
      early === 0 && closed() === UNREAD,
    );

    idle.socket.write(head("GET", "/healthz"));
    const [again] = await Promise.race([
      new Promise<unknown[]>((resolve) => idle.socket.once("data", (data) => resolve([data]))),
      sleep(10_000, [null]),
    ]);
    report.check(
      "a connection that was idle for that long meanwhile",
      again ? "is answered" : "is not answered",
      Boolean(again),
    );
    sockets.forEach((socket) => socket.destroy());
    idle.socket.destroy();

    const same = (await answeringProcesses(site)).sort().join() === pids.join();
    report.check("processes that have ended meanwhile", same ? "none" : "some", same);
  });
}

/** Addresses whose answers, requested 100 times, are more than a system buffers for a client. */
async function unreadAddresses(site: App): Promise<string[]> {
  const size = (name: string) => statSync(`public/build/${name}`).size;
  const [largest] = readdirSync("public/build", { encoding: "utf8", recursive: true }).sort(
    (a, b) => size(b) - size(a),
  );
  const addresses = [`/build/${largest}`];
  for (const reviews of [200, 1_000]) {
    const tour = await makeTour();
    await insertReviews(tour._id, reviews, () => ({ comment: "A long walk. ".repeat(384) }));
    await rebuildRatings({ tourIds: [tour._id] });
    addresses.push(`/api/reviews?tourId=${tour._id.toString()}`, `/tours/${tour.slug}`);
  }
  for (const address of addresses) await call(site, "GET", address);
  return addresses;
}
