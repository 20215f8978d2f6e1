import { accepted, everybody, type Access } from "../support/access";

export default {
  address: ({ links }) => `/reset/${links.reset}`,
  readers: "anybody",
  pages: { "new password": {}, "dead link": { address: "/reset/nothing" } },
  changes: {
    POST: { fields: { newPassword: "seven blue boats" }, ...everybody(accepted(302, "/login")) },
  },
} satisfies Access;
