import { accepted, everybody, reviewAddress, type Access } from "../support/access";

export default {
  readers: "anybody",
  pages: {
    "report, by address": {},
    report: { address: (scene) => `/report?url=${encodeURIComponent(reviewAddress(scene))}` },
  },
  changes: {
    POST: {
      fields: (world) => ({
        url: reviewAddress(world),
        reason: "off-topic",
        words: "It is about a hotel.",
        name: "",
        email: "rita@example.test",
        goodFaith: "yes",
      }),
      ...everybody(accepted(302, /^\/cases\/.+/)),
    },
  },
} satisfies Access;
