import { accepted, ONLY_FOR_OPERATORS, type Access } from "../support/access";
import type { Scene } from "../support/world";

const address = ({ cases }: Scene) => `/operator/cases/${cases.decided}/misuse`;

export default {
  address,
  readers: { only: "operator", others: 404 },
  pages: { "warn or suspend": { as: "operator" } },
  changes: {
    POST: {
      fields: { number: 2, kind: "warning", days: 7, explanation: "Three numbers." },
      ...ONLY_FOR_OPERATORS,
      operator: accepted(302, address),
    },
  },
} satisfies Access;
