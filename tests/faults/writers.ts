import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Booking, COMPLETED } from "#models/booking";
import { Review } from "#models/review";
import { User } from "#models/user";
import { call, tokenOf } from "../support/app";
import { makeTour } from "../support/factories";
import { touchTokens } from "../support/world";

/** How long a writer waits after a change that was not made, in milliseconds. */
const PAUSE_MS = 100;

interface Writer {
  token: string;
  /** The `Idempotency-Key` of its post. */
  key: string;
  tourId: string;
  reviewId?: string;
  /** The number for the comment of its next edit. */
  next: number;
}

const all: Writers[] = [];

/** Stops the writers that a failed part has left running. */
export const endWriters = () => Promise.all(all.map((writers) => writers.stop()));

/** Explorers who post one review each and edit it again and again, each time with the next number as its comment. */
export class Writers {
  /** The comment that was acknowledged last, by review. */
  readonly acknowledged = new Map<string, number>();
  #running = false;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(private readonly writers: Writer[]) {
    all.push(this);
  }

  /** Makes that many explorers with a completed booking each, in the database that Mongoose is connected to. */
  static async make(count: number, tourCount: number): Promise<Writers> {
    const tours = await Promise.all(Array.from({ length: tourCount }, () => makeTour()));
    const users = await User.insertMany(
      Array.from({ length: count }, (_, n) => ({
        name: `E${n}`,
        email: `${randomUUID()}@writers.test`,
      })),
    );
    const tourOf = (n: number) => tours[n % tourCount]!._id;
    await Booking.insertMany(
      users.map(({ _id }, n) => ({ userId: _id, tourId: tourOf(n), status: COMPLETED })),
    );
    const tokens = await Promise.all(users.map((user) => tokenOf(user)));
    await touchTokens();
    return new Writers(
      tokens.map((token, n) => ({
        token,
        key: randomUUID(),
        tourId: tourOf(n).toString(),
        next: 1,
      })),
    );
  }

  /** Makes them write to that site, which may be unreachable for a while, until `stop`. */
  start(site: { url: string }): void {
    this.#running = true;
    this.#writing = Promise.all(this.writers.map((writer) => this.#write(site, writer)));
  }

  async stop(): Promise<void> {
    this.#running = false;
    await this.#writing;
  }

  /** Waits until that many more changes are acknowledged; throws if it takes longer than that many seconds. */
  async wrote(changes: number, seconds = 120): Promise<void> {
    const made = () => [...this.acknowledged.values()].reduce((sum, n) => sum + n + 1, 0);
    const enough = made() + changes;
    for (const deadline = Date.now() + seconds * 1_000; made() < enough; await sleep(PAUSE_MS))
      if (Date.now() > deadline) throw new Error(`No ${changes} changes in ${seconds} s`);
  }

  async #write(site: { url: string }, writer: Writer): Promise<void> {
    const { token, key, tourId } = writer;
    while (this.#running) {
      const n = writer.reviewId ? writer.next++ : 0;
      const body = { tourId, rating: 1 + (n % 5), comment: String(n) };
      // A post with the same key gets the answer again that the explorer has missed.
      const answer = await (
        writer.reviewId
          ? call<Answer>(site, "PATCH", `/api/reviews/${writer.reviewId}`, { token, body })
          : call<Answer>(site, "POST", "/api/reviews", {
              token,
              body,
              headers: { "idempotency-key": key },
            })
      ).catch(() => null);
      if (answer?.status === 200 || answer?.status === 201) {
        writer.reviewId ??= answer.json!.review.id;
        this.acknowledged.set(writer.reviewId, n);
      } else await sleep(PAUSE_MS);
    }
  }
}

type Answer = { review: { id: string } };

/** The reviews of `acknowledged` that the connected database lacks, or has with an earlier comment. */
export async function lostReviews(acknowledged: ReadonlyMap<string, number>): Promise<string[]> {
  const found = await Review.find({}, { comment: 1 }).lean();
  const there = new Map(found.map(({ _id, comment }) => [_id.toString(), Number(comment)]));
  return [...acknowledged].filter(([id, least]) => !(there.get(id)! >= least)).map(([id]) => id);
}
