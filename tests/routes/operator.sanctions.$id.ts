import { accepted, ONLY_FOR_OPERATORS, type Access } from "../support/access";
import type { Scene } from "../support/world";

const address = ({ cases }: Scene) => `/operator/sanctions/${cases.warning}`;

export default {
  address,
  readers: { only: "operator", others: 404 },
  pages: { "a warning, for operators": { as: "operator" } },
  changes: {
    POST: {
      fields: { appealed: "no", outcome: "taken back", explanation: "It was one." },
      ...ONLY_FOR_OPERATORS,
      operator: accepted(302, address),
    },
  },
} satisfies Access;
