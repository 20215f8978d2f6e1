import { accepted, TO_LOG_IN, LINK_IS_OVER, type Access } from "../support/access";

export default {
  address: ({ links }) => `/me/address/${links.address}`,
  readers: { only: "author", others: 404 },
  pages: { "confirm address": { as: "explorer" } },
  changes: {
    POST: { strangers: TO_LOG_IN, users: LINK_IS_OVER, author: accepted(302, "/me/account") },
  },
} satisfies Access;
