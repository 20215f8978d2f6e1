import {
  accepted,
  TO_LOG_IN_WITH_FIELDS,
  NO_REPLY,
  reviewAddress,
  type Access,
} from "../support/access";

export default {
  address: (scene) => `${reviewAddress(scene)}/reply`,
  readers: { only: "guide", others: 403 },
  pages: { "reply to review": { as: "guide" } },
  changes: {
    "POST save": {
      fields: ({ replyTag }) => ({ comment: "answered in the test", tag: replyTag }),
      strangers: TO_LOG_IN_WITH_FIELDS,
      users: NO_REPLY,
      guide: accepted(302, reviewAddress),
    },
    "POST withdraw": {
      fields: ({ replyTag }) => ({ tag: replyTag }),
      strangers: TO_LOG_IN_WITH_FIELDS,
      users: NO_REPLY,
      guide: accepted(302, reviewAddress),
    },
  },
} satisfies Access;
