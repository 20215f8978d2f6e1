import { accepted, refused, LINK_IS_OVER, opinion, type Access } from "../support/access";
import { makeBookedExplorer, makeReview, makeTour } from "../support/factories";
import { makeRequest, type Scene } from "../support/world";

const SOMEBODY_ELSES = refused(403, "This link is somebody else’s. Log out to use it.");

const address = ({ request }: Scene) => `/review/${request}`;

/** The address of a link that has posted a review. */
async function postedByLink(query = ""): Promise<string> {
  const tour = await makeTour();
  const guest = await makeBookedExplorer(tour);
  const { _id } = await makeReview(guest, tour, { comment: "We saw herons." });
  return `/review/${await makeRequest(guest, tour, { reviewId: _id })}${query}`;
}

/** A review that the link has posted can be changed by it; here it has posted none. */
const NONE_POSTED = {
  fields: opinion,
  strangers: LINK_IS_OVER,
  users: SOMEBODY_ELSES,
  booked: LINK_IS_OVER,
};

export default {
  address,
  readers: "anybody",
  pages: {
    "review by a link": {},
    "review by a link, not there": { address: ({ request }) => `/review/${request}?absent=1` },
    "review by a link, posted": { address: () => postedByLink() },
    "review by a link, to change": { address: () => postedByLink("?change=1") },
    "review by a link, to delete": { address: () => postedByLink("?delete=1") },
    "review by a link, somebody else's": { as: "guide" },
  },
  changes: {
    "POST post": {
      fields: opinion,
      strangers: accepted(302, address),
      users: SOMEBODY_ELSES,
      booked: accepted(302, address),
    },
    "POST save": NONE_POSTED,
    "POST delete": NONE_POSTED,
    "POST absent": {
      strangers: accepted(302, address),
      users: SOMEBODY_ELSES,
      booked: accepted(302, address),
    },
  },
} satisfies Access;
