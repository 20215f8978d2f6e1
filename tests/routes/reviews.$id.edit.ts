import {
  accepted,
  refused,
  TO_LOG_IN_WITH_FIELDS,
  NOT_EDITED,
  opinion,
  reviewAddress,
  type Access,
} from "../support/access";

export default {
  address: (scene) => `${reviewAddress(scene)}/edit`,
  readers: { only: "author", others: 403 },
  pages: { "edit review": { as: "author" }, forbidden: { as: "explorer" } },
  // An edit is refused after 24 hours (tests/reviews/authorization.http.test.ts).
  changes: {
    "POST save": {
      fields: opinion,
      strangers: TO_LOG_IN_WITH_FIELDS,
      users: NOT_EDITED,
      author: accepted(302, reviewAddress),
    },
    "POST open": {
      fields: opinion,
      strangers: TO_LOG_IN_WITH_FIELDS,
      users: NOT_EDITED,
      author: refused(200, "written in the test"),
    },
  },
} satisfies Access;
