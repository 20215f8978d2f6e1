import { tourAddress, type Access } from "../support/access";

export default {
  address: (scene) => `${tourAddress(scene)}/reviews.atom`,
  readers: "anybody",
} satisfies Access;
