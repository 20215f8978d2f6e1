import { accepted, TO_LOG_IN, type Access } from "../support/access";
import { PASSWORD } from "../support/factories";

export default {
  readers: "users",
  pages: { "delete account": { as: "explorer" } },
  changes: {
    POST: { fields: { password: PASSWORD }, strangers: TO_LOG_IN, users: accepted(302, "/") },
  },
} satisfies Access;
