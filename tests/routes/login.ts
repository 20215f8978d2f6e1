import { accepted, everybody, type Access } from "../support/access";
import { PASSWORD } from "../support/factories";

export default {
  readers: "anybody",
  pages: { "log in": {} },
  changes: {
    POST: {
      fields: ({ author }) => ({ email: author.email, password: PASSWORD }),
      ...everybody(accepted(302, "/")),
    },
  },
} satisfies Access;
