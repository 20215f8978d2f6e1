import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Types } from "mongoose";
import { requestAddressChange } from "~/accounts/address.server";
import { requestReset } from "~/accounts/log-in/password-reset.server";
import { createServiceToken, createTokenFor } from "~/accounts/tokens.server";
import { toCurrentUser } from "~/accounts/users.server";
import { completeDeparture } from "~/guides/departures/completions.server";
import { revokeOperator } from "~/moderation/operators.server";
import { sanction } from "~/moderation/sanctions/sanction-author.server";
import { AccessToken } from "#models/access-token";
import { Booking, CONFIRMED } from "#models/booking";
import { Completion } from "#models/completion";
import { Decision } from "#models/decision";
import { EmailLink } from "#models/email-link";
import { type AccountNotification, Notification } from "#models/notification";
import { Reply } from "#models/reply";
import { Review } from "#models/review";
import { Session } from "#models/session";
import type { TourDocument } from "#models/tour";
import { type App, call, sessionOf, tokenOf } from "../support/app";
import { addressOf, caseOf, decideAs, formOf, newOperator, report } from "../support/cases";
import {
  as,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
  PASSWORD,
  random,
} from "../support/factories";
import type { PartReport } from "./report";
import { eachOf, withSite } from "./support";

const ROUNDS = 100;
const AT_ONCE = 10;
const SEED = 7;
const NEW_PASSWORD = "seven blue boats";
/** By how much they begin earlier or later by chance, in milliseconds. */
const JITTER_MS = 20;
/** By how much otherwise than in the round before: more as long as the same one of the two comes first. */
const STEP_MS = 4;
const LONGEST_STEP_MS = 250;

/** The parts of the site that a race needs. */
interface Site {
  app: App;
  /** Sends a platform's record with a service token, and throws unless it is stored. */
  store: (method: "PUT" | "PATCH", path: string, body: object) => Promise<void>;
}

/** Two that begin at about the same time: an act, and the end of the right to it. */
interface Round {
  /** Returns whether it was done; false when it was refused, which it must be once the right has ended. */
  act: () => Promise<boolean>;
  /** Resolves when the right has ended: nothing that is done by it comes later. */
  end: () => Promise<unknown>;
  /** Whether what the act does is there. It must not come after the end. */
  isThere: () => Promise<boolean>;
  /** Instead: whether what may not be is there after both. */
  isWrong?: () => Promise<boolean>;
}

type Race = (site: Site) => Promise<Round>;

/** Each is run a hundred times. Add a line for another one. */
const RACES: Record<string, Race> = {
  "a booking is cancelled while its review is posted": async ({ app, store }) => {
    const tour = await makeTour();
    const ann = await makeBookedExplorer(tour);
    const pair = { tourId: tour._id, userId: ann._id };
    const { _id } = await Booking.findOne(pair).orFail();
    const token = await tokenOf(ann);
    const body = { tourId: tour._id.toString(), rating: 5 };
    return {
      act: async () => isDone(await call(app, "POST", "/api/reviews", { token, body })),
      end: () => store("PATCH", `/api/bookings/${_id.toString()}`, { status: "CANCELLED" }),
      isThere: async () => (await Review.exists(pair)) !== null,
      isWrong: async () => (await Review.exists({ ...pair, verified: true })) !== null,
    };
  },

  "a password is reset while somebody logs in with the old one": async ({ app }) => {
    const { user, from, end } = await makeReset(app);
    const raw = new URLSearchParams({ email: user.email, password: PASSWORD });
    return {
      act: async () => isDone(await call(app, "POST", "/login", { raw, headers: from })),
      end,
      ...absentAfter(() => Session.exists({ userId: user._id })),
    };
  },

  "a password is reset while a new address is asked for": async ({ app }) => {
    const { user, end } = await makeReset(app);
    const form = { newEmail: `new-${user.email}`, currentPassword: PASSWORD };
    const [caller, network] = [toCurrentUser(user), randomNetwork()];
    return {
      act: () => requestAddressChange(caller, form, network).then(yes, no),
      end,
      ...absentAfter(() => EmailLink.exists({ userId: user._id })),
    };
  },

  "a password is reset, and tokens revoked, while a token is made": async ({ app }) => {
    const { user, end } = await makeReset(app);
    const form = { tokenName: "Laptop", currentPassword: PASSWORD };
    return {
      act: () => createTokenFor(as(user), form).then(yes, no),
      end,
      ...absentAfter(() => AccessToken.exists({ userId: user._id })),
    };
  },

  "the platform sets a password while somebody logs in with the old one": async ({
    app,
    store,
  }) => {
    const user = await makeUser();
    const { name, email } = user;
    const raw = new URLSearchParams({ email, password: PASSWORD });
    const headers = { "x-forwarded-for": randomNetwork() };
    const path = `/api/users/${user._id.toString()}`;
    return {
      act: async () => isDone(await call(app, "POST", "/login", { raw, headers })),
      end: () => store("PUT", path, { name, email, password: NEW_PASSWORD }),
      ...absentAfter(() => Session.exists({ userId: user._id })),
    };
  },

  "an operator is revoked while they decide": async ({ app }) => {
    const { operator, ...deciding } = await makeDecision(app);
    return { ...deciding, end: () => revokeOperator(operator.email) };
  },

  "an operator is suspended while they decide": async ({ app }) => {
    const { operator, tour, ...deciding } = await makeDecision(app);
    const judge = await newOperator();
    const review = await makeReview(operator, tour, { comment: "Rude." });
    await report(addressOf(review));
    const found = await caseOf(review);
    await decideAs(judge, found, { action: "remove" });
    const caseId = found._id.toString();
    const impose = (kind: string, number: number) => {
      const form = { number, kind, days: "7", explanation: "By the rule." };
      return sanction(as(judge), { caseId, reportId: null }, form);
    };
    await impose("warning", 1);
    return { ...deciding, end: () => impose("suspension", 2) };
  },

  "a booking is cancelled while its departure is completed": async ({ store }) => {
    const { guide, tour, id, complete } = await makeDeparture();
    const cancelled = { status: "CANCELLED" };
    return {
      act: () => complete(guide),
      end: () => store("PATCH", `/api/bookings/${id}`, cancelled),
      isThere: async () => (await Completion.exists({ tourId: tour._id })) !== null,
      isWrong: async () => (await Booking.exists({ _id: id, ...cancelled })) === null,
    };
  },

  "a tour gets another guide while its departure is completed": async ({ store }) => {
    const { guide, tour, complete } = await makeDeparture();
    return {
      act: () => complete(guide),
      end: await handingOver(tour, store),
      isThere: async () => (await Completion.exists({ tourId: tour._id })) !== null,
    };
  },

  "a tour gets another guide while the former one replies": async ({ app, store }) => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    const review = await makeReview(await makeBookedExplorer(tour), tour);
    const token = await tokenOf(guide);
    const path = `/api/reviews/${review._id.toString()}/reply`;
    return {
      act: async () => isDone(await call(app, "PUT", path, { token, body: { text: "Thanks." } })),
      end: await handingOver(tour, store),
      isThere: async () => (await Reply.exists({ _id: review._id })) !== null,
    };
  },
};

const isDone = ({ status }: { status: number }) => status < 400;
const [yes, no] = [() => true, () => false];

/** The end takes away also what was there before it: after both, nothing is left. */
function absentAfter(find: () => PromiseLike<unknown>): Pick<Round, "isThere" | "isWrong"> {
  const isThere = async () => (await find()) !== null;
  return { isThere, isWrong: isThere };
}

/** A network of its own for each round: the limits of one are not what is tried. */
const randomNetwork = () => `2001:db8:${randomBytes(4).toString("hex").replace(/.{4}$/, ":$&")}::1`;

/** A user, and the reset of their password by the link that they were sent. */
async function makeReset(app: App) {
  const user = await makeUser();
  const network = randomNetwork();
  await requestReset({ email: user.email }, network);
  const sent = await Notification.findOne({ "mail.to.email": user.email }).orFail();
  const token = /\/reset\/([\w-]{43})/.exec((sent as AccountNotification).mail!.text)![1]!;
  const raw = new URLSearchParams({ newPassword: NEW_PASSWORD, revokeTokens: "on" });
  const from = { "x-forwarded-for": network };
  const end = async () => {
    const { status } = await call(app, "POST", `/reset/${token}`, { raw, headers: from });
    if (status !== 302) throw new Error(`The password is not reset: ${status}`);
  };
  return { user, from, end };
}

/** A case, and its decision by an operator. */
async function makeDecision(app: App) {
  const operator = await newOperator();
  const tour = await makeTour();
  const review = await makeReview(await makeUser(), tour, { comment: "Words." });
  await report(addressOf(review));
  const found = await caseOf(review);
  const cookie = await sessionOf(operator);
  const form = await formOf(operator, found, { action: "keep" });
  const raw = new URLSearchParams(form as Record<string, string>);
  return {
    operator,
    tour,
    act: async () => {
      const path = `/operator/cases/${found._id.toString()}`;
      return isDone(await call(app, "POST", path, { cookie, raw }));
    },
    isThere: async () => (await Decision.exists({ caseId: found._id })) !== null,
  };
}

/** A departure with one booking, which its guide can complete. */
async function makeDeparture() {
  const guide = await makeUser();
  const tour = await makeTour({ createdById: guide._id });
  const date = new Date(Date.now() - 3_600_000);
  const { _id: userId } = await makeUser();
  const booking = { userId, tourId: tour._id, status: CONFIRMED, date };
  const { _id } = await Booking.create(booking);
  return {
    guide,
    tour,
    id: _id.toString(),
    complete: (by: { _id: Types.ObjectId }) =>
      completeDeparture(
        as(by),
        { tourId: tour._id.toString(), date: date.toISOString() },
        { completion: "automatic" },
      ).then(
        ({ completed }) => completed > 0,
        () => false,
      ),
  };
}

/** Lets the platform give the tour to another guide. */
async function handingOver({ _id, title, slug }: TourDocument, store: Site["store"]) {
  const createdById = (await makeUser())._id.toString();
  return () => store("PUT", `/api/tours/${_id.toString()}`, { title, slug, createdById });
}

/** No right is used after its end, however the two meet in two server processes. */
export default (part: PartReport) =>
  withSite({ TRUST_PROXY: "true" }, async (app) => {
    const tokens = await Promise.all(
      Array.from({ length: 4 }, (_, n) => createServiceToken(`Platform ${n}`)),
    );
    let sent = 0;
    const store: Site["store"] = async (method, path, body) => {
      const token = tokens[sent++ % tokens.length]!;
      const { status, text } = await call(app, method, path, { token, body });
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    };
    for (const [name, race] of Object.entries(RACES)) await run(name, race, { app, store }, part);
  });

async function run(name: string, race: Race, site: Site, part: PartReport): Promise<void> {
  const draw = random(SEED);
  let [done, survived] = [0, 0];
  // How long the end waits for the act; less after an act that was done, so that they meet.
  let lead = 0;
  let step = STEP_MS;
  let wasDone = false;
  await eachOf(Array(ROUNDS).keys(), AT_ONCE, async () => {
    const { act, end, isThere, isWrong } = await race(site);
    let wasThere = false;
    const after = <Result>(ms: number, work: () => Promise<Result>) =>
      sleep(Math.max(0, ms) + draw() * JITTER_MS).then(work);
    const [acted] = await Promise.all([
      after(-lead, act),
      after(lead, end).then(async () => (wasThere = await isThere())),
    ]);
    if (acted) done++;
    step = acted === wasDone ? Math.min(1.5 * step, LONGEST_STEP_MS) : STEP_MS;
    lead += acted ? -step : step;
    wasDone = acted;
    const isLate = !wasThere && (await isThere());
    if (isWrong ? await isWrong() : isLate) survived++;
  });
  const met = done > 0 && done < ROUNDS;
  part.check(
    name,
    `${survived} survived in ${ROUNDS} rounds, ${done} acts done`,
    met && survived === 0,
  );
}
