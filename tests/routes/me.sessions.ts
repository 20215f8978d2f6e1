import { accepted, TO_LOG_IN, type Access } from "../support/access";

export default {
  readers: "users",
  pages: { sessions: { as: "explorer" } },
  changes: {
    // The author's log-in: for anybody else it has ended already, which only their own session reveals.
    "POST end": {
      fields: ({ sessionId }) => ({ session: sessionId }),
      strangers: TO_LOG_IN,
      users: accepted(302, "/me/sessions"),
    },
    "POST end-others": { strangers: TO_LOG_IN, users: accepted(302, "/me/sessions") },
  },
} satisfies Access;
