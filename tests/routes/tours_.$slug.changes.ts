import { tourAddress, type Access } from "../support/access";

export default {
  address: (scene) => `${tourAddress(scene)}/changes`,
  readers: "anybody",
  pages: { "changes of a rating": {} },
} satisfies Access;
