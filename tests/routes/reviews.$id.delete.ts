import {
  accepted,
  TO_LOG_IN,
  NOT_DELETED,
  tourAddress,
  reviewAddress,
  type Access,
} from "../support/access";

export default {
  address: (scene) => `${reviewAddress(scene)}/delete`,
  readers: { only: "author", others: 403 },
  pages: { "delete review": { as: "author" } },
  changes: {
    POST: { strangers: TO_LOG_IN, users: NOT_DELETED, author: accepted(302, tourAddress) },
  },
} satisfies Access;
