import { tourAddress, type Access } from "../support/access";

export default {
  address: (scene) => `${tourAddress(scene)}/badge.svg`,
  readers: "anybody",
} satisfies Access;
