import { randomUUID } from "node:crypto";
import { once } from "es-toolkit/function/once";
import { signedToken } from "~/lib/signed-token.server";
import { Operator } from "#models/operator";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { demoLogins } from "../../scripts/demo/index";
import { makeAbsence, makeBookedExplorer, makeUser } from "../support/factories";
import { ACCESS, addressOfPattern } from "../support/access-tables";
import { makeCases, makeLinks, makeRequest, unsubscribePath } from "../support/world";

// Every page that the tests look at, with the demo data.

const [explorer, author, guide] = demoLogins.map(({ email }) => email) as [string, string, string];
const EMAILS = { explorer, author, guide, operator: explorer };
export const TOUR = "/tours/porto-sarrava-by-lantern";

/** The user of that address, who decides about reports if it is the operator's. */
export async function findUser(email: string) {
  const { _id } = await User.findOne({ email }).orFail();
  if (email === EMAILS.operator)
    await Operator.updateOne({ _id }, { $setOnInsert: { since: new Date() } }, { upsert: true });
  return _id;
}

/**
 * The records in the addresses, once for each process. Using these links ends no others, because the tests of all
 * projects run at the same time.
 */
const demoScene = once(async () => {
  const [user, writer, leader] = await Promise.all(
    [explorer, author, guide].map((email) => User.findOne({ email }).orFail()),
  );
  const tour = await Tour.findOne({ slug: TOUR.split("/").pop() }).orFail();
  const waiting = await Tour.findOne({ slug: "sunset-sail-to-isola-merla" }).orFail();
  const review = await Review.findOne({ userId: writer!._id }).sort({ createdAt: -1 }).orFail();
  const { _id } = await makeAbsence(await makeUser({ name: "Nora Noshow" }), tour);
  const removed = await makeUser({ name: "Rosa Removed" });
  const people = { author: writer!, operator: user!, removed };
  return {
    author: user!,
    guide: leader!,
    tour,
    review,
    cases: await makeCases({ tour, review, ...people }),
    links: await makeLinks(user!, () => randomUUID()),
    absence: signedToken("absence", _id.toString()),
    // Of the demo's own guests all have been asked.
    request: await makeRequest(await makeBookedExplorer(waiting), waiting),
    unsubscribe: unsubscribePath(leader!),
  };
});

/** By the name of its picture: the log-in that sees the page, and what gives the page's address. */
export const PAGES: Record<string, { as?: string; path: () => Promise<string> }> =
  Object.fromEntries(
    [...ACCESS].flatMap(([pattern, { pages = {} }]) =>
      Object.entries(pages).map(([name, { as, address }]) => [
        name,
        {
          as: as && EMAILS[as],
          path: async () => {
            if (typeof address === "string") return address;
            const scene = await demoScene();
            return address ? address(scene) : addressOfPattern(pattern, scene);
          },
        },
      ]),
    ),
  );
