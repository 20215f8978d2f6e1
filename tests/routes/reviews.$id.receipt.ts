import { reviewAddress, type Access } from "../support/access";

export default {
  address: (scene) => `${reviewAddress(scene)}/receipt`,
  readers: { only: "author", others: 404 },
} satisfies Access;
