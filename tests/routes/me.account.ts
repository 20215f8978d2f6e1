import { accepted, TO_LOG_IN, LINK_SENT, type Access } from "../support/access";
import { PASSWORD } from "../support/factories";

const CHANGED = { strangers: TO_LOG_IN, users: accepted(302, "/me/account") };

export default {
  readers: "users",
  pages: { account: { as: "explorer" } },
  changes: {
    "POST profile": { fields: { name: "Another Name", image: "" }, ...CHANGED },
    "POST address": {
      fields: { newEmail: "another@example.test", currentPassword: PASSWORD },
      strangers: TO_LOG_IN,
      users: LINK_SENT,
    },
    "POST review-requests": { fields: { reviewRequests: "none" }, ...CHANGED },
    "POST reply-mails": { fields: { replyMails: "none" }, ...CHANGED },
    "POST password": {
      fields: { currentPassword: PASSWORD, newPassword: "seven blue boats" },
      ...CHANGED,
    },
    "POST create-token": {
      fields: { tokenName: "made in the test", expiry: "30", currentPassword: PASSWORD },
      strangers: TO_LOG_IN,
      users: accepted(200, "trv_"),
    },
    // The author's token: for anybody else it does not exist, which only their own session reveals.
    "POST revoke-token": { fields: ({ tokenId }) => ({ tokenId }), ...CHANGED },
  },
} satisfies Access;
