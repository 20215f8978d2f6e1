import {
  accepted,
  UNAUTHORIZED,
  NOT_EDITED,
  NOT_DELETED,
  opinion,
  reviewAddress,
  type Access,
} from "../support/access";

export default {
  address: (scene) => `/api${reviewAddress(scene)}`,
  readers: "anybody",
  // An edit is refused after 24 hours (tests/reviews/authorization.http.test.ts).
  changes: {
    PATCH: {
      fields: opinion,
      strangers: UNAUTHORIZED,
      users: NOT_EDITED,
      author: accepted(200, "Review updated successfully"),
    },
    DELETE: {
      strangers: UNAUTHORIZED,
      users: NOT_DELETED,
      author: accepted(200, "Review deleted successfully"),
    },
  },
} satisfies Access;
