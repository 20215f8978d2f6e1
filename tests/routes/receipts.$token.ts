import { accepted, everybody, type Access } from "../support/access";
import type { Scene } from "../support/world";

const address = ({ cases }: Scene) => `/receipts/${cases.mailed}`;

export default {
  address,
  readers: "anybody",
  pages: { "a receipt, by e-mail": {} },
  changes: {
    "POST open": everybody(accepted(302, address)),
    "POST deny": everybody(accepted(302, address)),
  },
} satisfies Access;
