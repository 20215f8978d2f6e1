import { accepted, everybody, type Access } from "../support/access";
import type { Scene } from "../support/world";

const address = ({ cases }: Scene) => `/cases/${cases.statement}`;

export default {
  address,
  readers: "anybody",
  pages: { "a decision, for its author": {} },
  changes: {
    "POST appeal": {
      fields: { words: "It is my own number." },
      ...everybody(accepted(302, address)),
    },
    "POST delete": { fields: { sure: "yes" }, ...everybody(accepted(302, address)) },
  },
} satisfies Access;
