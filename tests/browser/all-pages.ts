import { randomUUID } from "node:crypto";
import { Review } from "../../models/review";
import { Tour } from "../../models/tour";
import { User } from "../../models/user";
import { demoLogins } from "../../scripts/demo/index";
import { addressOf, REGISTER } from "../support/register";
import { makeLinks, unsubscribePath } from "../support/world";

// Every page that the tests look at, with the demo data.

const [explorer, author, guide] = demoLogins.map(({ email }) => email) as [string, string, string];
const EMAILS = { explorer, author, guide };
export const TOUR = "/tours/porto-sarrava-by-lantern";

export const findUser = async (email: string) => (await User.findOne({ email }).orFail())._id;

/**
 * The records in the addresses. Using these links ends no others, because the tests of all projects run at the same
 * time.
 */
async function demoScene() {
  const [user, writer, leader] = await Promise.all(
    [explorer, author, guide].map((email) => User.findOne({ email }).orFail()),
  );
  return {
    author: user!,
    guide: leader!,
    tour: await Tour.findOne({ slug: TOUR.split("/").pop() }).orFail(),
    review: await Review.findOne({ userId: writer!._id }).sort({ createdAt: -1 }).orFail(),
    links: await makeLinks(user!, () => randomUUID()),
    unsubscribe: unsubscribePath(leader!),
  };
}

/** By the name of its picture: the log-in that sees the page, and what gives the page's address. */
export const PAGES: Record<string, { as?: string; path: () => Promise<string> }> =
  Object.fromEntries(
    Object.entries(REGISTER).flatMap(([pattern, { pages = {} }]) =>
      Object.entries(pages).map(([name, { as, path }]) => [
        name,
        {
          as: as && EMAILS[as],
          path: async () => {
            if (typeof path === "string") return path;
            const scene = await demoScene();
            return path ? path(scene) : addressOf(pattern, scene);
          },
        },
      ]),
    ),
  );
