import { isDeepStrictEqual } from "node:util";
import type { Types } from "mongoose";
import { storedRatings } from "~/reviews/ratings.server";
import { Booking, COMPLETED } from "#models/booking";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { progressBar } from "../../scripts/lib/progress";
import { say } from "../../scripts/lib/command";
import { call, tokenOf, type App } from "../support/app";
import { forgetAttempts } from "../support/database";
import { freshRatings, makeTour, makeUser, random } from "../support/factories";
import { touchTokens } from "../support/world";
import type { PartReport } from "./report";
import { eachOf, withSite } from "./support";

const SEEDS = 20;
const EXPLORERS = 200;
const AT_ONCE = 50;

type Created = { review?: { id: string } };

/**
 * Explorers create, edit and delete reviews of one tour through two server processes: the aggregates stay exact, and
 * everything that was acknowledged is stored, and no more.
 */
export default (report: PartReport) => withSite({}, (site) => manyExplorers(site, report));

async function manyExplorers(site: App, report: PartReport): Promise<void> {
  const guide = await makeUser({ name: "Gwen Guide" });
  let changes = 0;
  const refused: string[] = [];
  const wrong: number[] = [];
  const progress = progressBar("seeds");
  const began = performance.now();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const tour = await makeTour({ createdById: guide._id });
    const explorers = await makeExplorers(seed, tour._id);
    const ratings = new Map<string, number>();
    await eachOf(explorers, AT_ONCE, async ({ id, token, draw }) => {
      const send = async <Body>(method: string, path: string, body?: unknown) => {
        const answer = await call<Body>(site, method, path, { token, body });
        if (answer.status < 300) changes++;
        else refused.push(`${method} ${answer.status} ${answer.text}`);
        return answer;
      };
      const anyRating = () => 1 + Math.floor(draw() * 5);
      let path = "";
      for (let step = 0; step === 0 || draw() < 0.2; step++) {
        const rating = anyRating();
        if (!path) {
          const body = { tourId: tour._id.toString(), rating };
          const { json } = await send<Created>("POST", "/api/reviews", body);
          if (!json?.review) return;
          path = `/api/reviews/${json.review.id}`;
          ratings.set(id, rating);
        } else if (draw() < 0.6) {
          const { status } = await send("PATCH", path, { rating });
          if (status === 200) ratings.set(id, rating);
        } else {
          const { status } = await send("DELETE", path);
          if (status !== 200) return;
          path = "";
          ratings.delete(id);
        }
      }
    });
    const reviews = await Review.find({ tourId: tour._id }).lean();
    const found = new Map(reviews.map((review) => [review.userId.toString(), review.rating]));
    const stored = storedRatings(await Tour.findById(tour._id).lean());
    const exact =
      isDeepStrictEqual(stored, await freshRatings(tour._id)) &&
      reviews.length === found.size &&
      isDeepStrictEqual(found, ratings);
    if (!exact) wrong.push(seed);
    progress(seed, SEEDS);
  }
  const perSecond = (changes / ((performance.now() - began) / 1_000)).toFixed(0);
  report.check(
    `${EXPLORERS} explorers, ${AT_ONCE} at a time, one tour, two processes: mean and counts equal a fresh $group`,
    `${SEEDS - wrong.length} of ${SEEDS} seeds${wrong.length ? ` (not ${wrong.join(", ")})` : ""}`,
    wrong.length === 0,
  );
  // A machine that is too slow for so many at once answers some with a 500, after which nothing has changed.
  for (const line of refused.slice(0, 5)) say(`  ${line}`);
  report.check(
    "changes of that one tour acknowledged",
    `${changes} (${perSecond} a second), ${refused.length} refused (under 1 %)`,
    refused.length < changes / 100,
  );
}

/**
 * Makes them without what limits have counted for earlier ones: only this proof has so many new users a minute, and
 * the embedded database reads all counts of a minute at every change.
 */
async function makeExplorers(seed: number, tourId: Types.ObjectId) {
  const users = await User.insertMany(
    Array.from({ length: EXPLORERS }, (_, n) => ({
      name: `E${n}`,
      email: `${seed}.${n}@load.test`,
    })),
  );
  await Booking.insertMany(users.map(({ _id }) => ({ userId: _id, tourId, status: COMPLETED })));
  const tokens = await Promise.all(users.map((user) => tokenOf(user)));
  await touchTokens();
  await forgetAttempts();
  return users.map(({ _id }, n) => ({
    id: _id.toString(),
    token: tokens[n]!,
    draw: random(seed * 10_000 + n),
  }));
}
