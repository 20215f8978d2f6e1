import { reviewAddress, type Access } from "../support/access";

export default {
  address: reviewAddress,
  readers: "anybody",
  pages: { review: {}, "review, own": { as: "author" } },
} satisfies Access;
