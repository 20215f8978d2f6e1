import { randomUUID } from "node:crypto";
import { accepted, everybody, type Access } from "../support/access";
import { PASSWORD } from "../support/factories";
import { makeLink } from "../support/world";

export default {
  address: ({ links }) => `/signup/${links["sign-up"]}`,
  readers: "anybody",
  pages: {
    "finish sign-up": {},
    "sign-up of an account": {
      address: async ({ author: { email } }) =>
        `/signup/${await makeLink({ _id: randomUUID(), purpose: "sign-up", email })}`,
    },
  },
  changes: {
    POST: { fields: { name: "Nina New", password: PASSWORD }, ...everybody(accepted(302, "/")) },
  },
} satisfies Access;
