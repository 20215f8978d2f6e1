import { accepted, refused, TO_LOG_IN, type Access } from "../support/access";

export default {
  readers: "users",
  pages: { "my reviews": { as: "author" }, "my reviews, waiting": { as: "explorer" } },
  changes: {
    POST: {
      fields: ({ absenceId }) => ({ absence: absenceId }),
      strangers: TO_LOG_IN,
      users: refused(404, "This link is not valid."),
      author: accepted(302, "/me"),
    },
  },
} satisfies Access;
