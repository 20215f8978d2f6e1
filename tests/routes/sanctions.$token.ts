import { accepted, everybody, type Access } from "../support/access";
import type { Scene } from "../support/world";

const address = ({ cases }: Scene) => `/sanctions/${cases.suspension}`;

export default {
  address,
  readers: "anybody",
  pages: { "a suspension, for its account": {} },
  changes: {
    "POST appeal": {
      fields: { words: "It was somebody else." },
      ...everybody(accepted(302, address)),
    },
    "POST delete": { fields: { sure: "yes" }, ...everybody(accepted(302, address)) },
  },
} satisfies Access;
