import { everybody, LINK_SENT, type Access } from "../support/access";

export default {
  readers: "anybody",
  pages: { "sign up": {} },
  changes: { POST: { fields: { email: "nina@example.test" }, ...everybody(LINK_SENT) } },
} satisfies Access;
