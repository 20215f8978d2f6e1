import { accepted, everybody, type Access } from "../support/access";

export default {
  address: ({ unsubscribe }) => unsubscribe,
  readers: "anybody",
  pages: { unsubscribe: {} },
  changes: {
    POST: {
      fields: { "List-Unsubscribe": "One-Click" },
      ...everybody(accepted(200, "You are unsubscribed.")),
    },
  },
} satisfies Access;
