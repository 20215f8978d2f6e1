import { tourAddress, type Access } from "../support/access";

export default {
  address: (scene) => `/oembed?url=${encodeURIComponent(`http://x.test${tourAddress(scene)}`)}`,
  readers: "anybody",
} satisfies Access;
