import { accepted, ONLY_FOR_OPERATORS, type Access } from "../support/access";
import type { Scene } from "../support/world";

const address = ({ cases }: Scene) => `/operator/cases/${cases.open}`;

export default {
  address,
  readers: { only: "operator", others: 404 },
  pages: { "a case": { as: "operator" } },
  changes: {
    POST: {
      fields: ({ reviewTag, replyTag }) => ({
        version: 1,
        tag: `${reviewTag} ${replyTag}`,
        reports: 1,
        appeals: 0,
        action: "keep",
        ground: "allowed",
        reference: "",
        explanation: "It is an opinion.",
      }),
      ...ONLY_FOR_OPERATORS,
      operator: accepted(302, address),
    },
  },
} satisfies Access;
