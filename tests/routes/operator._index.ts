import { accepted, ONLY_FOR_OPERATORS, type Access } from "../support/access";
import { PASSWORD } from "../support/factories";

export default {
  readers: { only: "operator", others: 404 },
  pages: { reports: { as: "operator" } },
  changes: {
    POST: {
      fields: { password: PASSWORD, to: "" },
      ...ONLY_FOR_OPERATORS,
      operator: accepted(302, "/operator"),
    },
  },
} satisfies Access;
