import { accepted, UNAUTHORIZED, NO_REPLY, reviewAddress, type Access } from "../support/access";

export default {
  address: (scene) => `/api${reviewAddress(scene)}/reply`,
  readers: "anybody",
  changes: {
    PUT: {
      fields: { text: "answered in the test" },
      strangers: UNAUTHORIZED,
      users: NO_REPLY,
      guide: accepted(200, "reply"),
    },
    DELETE: {
      strangers: UNAUTHORIZED,
      users: NO_REPLY,
      guide: accepted(200, "Reply deleted successfully"),
    },
  },
} satisfies Access;
