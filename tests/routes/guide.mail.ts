import { accepted, TO_LOG_IN, type Access } from "../support/access";

export default {
  readers: "users",
  pages: { "mail settings": { as: "guide" } },
  changes: {
    POST: {
      fields: { reviewMails: "none" },
      strangers: TO_LOG_IN,
      users: accepted(302, "/guide/mail"),
    },
  },
} satisfies Access;
