import { accepted, refused, TO_LOG_IN, type Access } from "../support/access";

export default {
  readers: "users",
  pages: {
    guide: { as: "guide" },
    "guide, chosen reviews": { as: "guide", address: "/guide?stars=4" },
  },
  changes: {
    "POST complete": {
      fields: ({ tour }) => ({ tourId: tour._id.toString(), date: "" }),
      strangers: TO_LOG_IN,
      users: refused(403, "You can only complete departures of your own tours"),
      guide: accepted(302, "/guide"),
    },
    "POST undo": {
      fields: ({ completionId }) => ({ completion: completionId }),
      strangers: TO_LOG_IN,
      users: refused(403, "You can only undo what you have done"),
      guide: accepted(302, "/guide"),
    },
  },
} satisfies Access;
