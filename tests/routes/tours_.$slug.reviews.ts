import { tourAddress, type Access } from "../support/access";

export default {
  address: (scene) => `${tourAddress(scene)}/reviews`,
  readers: "anybody",
} satisfies Access;
