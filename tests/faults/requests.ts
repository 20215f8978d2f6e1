import { setTimeout as sleep } from "node:timers/promises";
import { Types } from "mongoose";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { createServiceToken } from "~/accounts/tokens.server";
import { clockTime } from "~/config/zones";
import { setMails } from "~/mail/mail-settings.server";
import { ReviewRequests } from "~/requests/worker.server";
import { Booking, COMPLETED, CONFIRMED } from "#models/booking";
import { Asking, requestId, ReviewRequest } from "#models/review-request";
import { Review } from "#models/review";
import { call } from "../support/app";
import { makeTour, makeUser, random } from "../support/factories";
import { sentBy } from "../support/explain";
import { startSendGrid } from "../support/mail";
import type { PartReport } from "./report";
import { eachOf, serve, withDatabase } from "./support";

const GUESTS = 400;
const TOURS = 20;
const ROUNDS = 10;
/** Of each twenty guests, one has objected, and one has reviewed. */
const EACH = 20;
/** Longer than the outbox's lease, which a killed process may have held. */
const MAIL_MS = 240_000;
const MANY = 50_000;
const HOUR_MS = 60 * 60 * 1_000;

/** Every guest is asked once, whatever fails, and a look for them costs as much with 50,000 old requests as with few. */
export default async function requests(report: PartReport): Promise<void> {
  await killed(report);
  await withDatabase(async (uri) => {
    await disconnectDatabase();
    // With a limit for slow commands, the driver tells of each.
    await connectDatabase(uri, { slowCommandMs: 600_000 });
    await cost(report);
  });
}

/** A zone where it is the early afternoon. */
function zoneOfDay(): string {
  const zones = Array.from(
    { length: 25 },
    (_, n) => `Etc/GMT${n < 12 ? "-" : "+"}${Math.abs(12 - n)}`,
  );
  return zones.find((zone) => clockTime(new Date(), zone).hour === 13)!;
}

async function killed(report: PartReport): Promise<void> {
  const sendGrid = await startSendGrid();
  const draw = random(1);
  sendGrid.answer = () =>
    draw() >= 0.2 ? 202 : ([503, 429, "reset", "hang"] as const)[Math.floor(draw() * 4)]!;
  await withDatabase(async (uri) => {
    const settings = {
      SENDGRID_API_KEY: "SG.of-the-requests",
      SENDGRID_BASE_URL: sendGrid.url,
      MAIL_FROM: "reviews@example.test",
      REVIEW_REQUESTS: "on",
      REVIEW_REQUEST_HOURS: "0",
      TIME_ZONE: zoneOfDay(),
    };
    const apps = await Promise.all([serve(uri, settings), serve(uri, settings)]);
    while (!(await Asking.exists({}))) await sleep(100);
    const token = await createServiceToken("Platform");
    const tours = await Promise.all(Array.from({ length: TOURS }, () => makeTour()));
    const guests: { email: string; bookingId: Types.ObjectId; isAsked: boolean }[] = [];
    await eachOf(Array(GUESTS).keys(), 8, async (n) => {
      const [user, tour] = [await makeUser(), tours[n % TOURS]!];
      const ids = { userId: user._id, tourId: tour._id };
      const date = new Date(Date.now() - HOUR_MS);
      const { _id } = await Booking.create({ ...ids, status: CONFIRMED, date });
      if (n % EACH === 0) await setMails(user._id.toString(), "requests", "none");
      if (n % EACH === 1) await Review.create({ ...ids, rating: 4, createdAt: new Date() });
      guests.push({ email: user.email, bookingId: _id, isAsked: n % EACH > 1 });
    });
    let kills = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const some = guests.slice((round * GUESTS) / ROUNDS, ((round + 1) * GUESTS) / ROUNDS);
      // By the API, and by the platform's own write.
      await eachOf(some.entries(), 4, async ([n, { bookingId: _id }]) => {
        const body = { status: COMPLETED };
        if (n % 2) await Booking.collection.updateOne({ _id }, { $set: body });
        else {
          const path = `/api/bookings/${_id.toString()}`;
          const patch = () => call(apps[(n >> 1) % 2]!, "PATCH", path, { token, body });
          // A process that was just killed answers nothing.
          while (!(await patch().catch(() => null))?.json) await sleep(50);
        }
      });
      await sleep(200 + draw() * 1_500);
      for (const n of draw() < 0.5 ? [0, 1] : [round % 2]) {
        apps[n]!.process.kill("SIGKILL");
        kills++;
        apps[n] = await serve(uri, settings);
      }
    }
    const mails = () => {
      const counts = new Map<string, number>();
      for (const { subject, personalizations } of sendGrid.mails) {
        const { email } = personalizations[0]!.to[0]!;
        if (subject.startsWith("How was")) counts.set(email, (counts.get(email) ?? 0) + 1);
      }
      return (isAsked: boolean) =>
        guests
          .filter((guest) => guest.isAsked === isAsked)
          .map(({ email }) => counts.get(email) ?? 0);
    };
    const deadline = Date.now() + MAIL_MS;
    while (mails()(true).includes(0) && Date.now() < deadline) await sleep(500);
    // E-mails that may come twice come when the lease of a killed process is over.
    await sleep(45_000);
    const [asked, others] = [mails()(true), mails()(false)];
    const missing = asked.filter((times) => times === 0).length;
    const twice = asked.filter((times) => times > 1).length;
    report.check(
      `${kills} kill -9 of two processes, a SendGrid that fails a fifth of the time: guests who were asked`,
      `${asked.length - missing} of ${asked.length}`,
      missing === 0 && kills >= ROUNDS,
    );
    report.check("of those, asked twice", `${twice} (under 1 %)`, twice < asked.length / 100);
    report.check(
      "who had objected or reviewed, asked",
      `${others.filter((times) => times > 0).length} of ${others.length}`,
      others.every((times) => times === 0),
    );
    const recorded = await ReviewRequest.countDocuments();
    report.check("guests and tours that are recorded", `${recorded}`, recorded === GUESTS);
    await Promise.all(apps.map((app) => app.stop()));
  });
  sendGrid.close();
}

async function cost(report: PartReport): Promise<void> {
  const few = await turnAmong(5);
  const many = await turnAmong(MANY);
  report.check(
    `commands of a look for completed bookings, with 5 and ${MANY.toLocaleString("en")} old requests`,
    `${few} and ${many}`,
    few === many && many <= 4,
  );
}

/** How many commands a turn takes that finds a new booking beside so many requests of before. */
async function turnAmong(count: number): Promise<number> {
  const looks = new ReviewRequests();
  await looks.turn();
  const sentAt = new Date(Date.now() - HOUR_MS);
  const departedAt = new Date(Date.now() - 24 * HOUR_MS);
  const old = Array.from({ length: count }, () => {
    const ids = { tourId: new Types.ObjectId(), userId: new Types.ObjectId() };
    return { _id: requestId(ids), ...ids, departedAt, sentAt };
  });
  for (let n = 0; n < count; n += 5_000)
    await ReviewRequest.collection.insertMany(old.slice(n, n + 5_000) as never[]);
  const ids = { tourId: new Types.ObjectId(), userId: new Types.ObjectId() };
  await Booking.create({ ...ids, status: COMPLETED, date: sentAt });
  return (await sentBy(() => looks.turn())).length;
}
