import { tourAddress, type Access } from "../support/access";

export default {
  address: (scene) => `/embed${tourAddress(scene)}`,
  readers: "anybody",
} satisfies Access;
