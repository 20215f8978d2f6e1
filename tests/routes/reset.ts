import { everybody, LINK_SENT, type Access } from "../support/access";

export default {
  readers: "anybody",
  pages: { "reset password": {} },
  changes: { POST: { fields: ({ author }) => ({ email: author.email }), ...everybody(LINK_SENT) } },
} satisfies Access;
