import { tourAddress, type Access } from "../support/access";
import { keepPictures, makeTour } from "../support/factories";

export default {
  address: (scene) => `${tourAddress(scene)}/pictures`,
  readers: "anybody",
  pages: {
    "a picture": {
      address: async () =>
        `${tourAddress({ tour: await makeTour({ images: await keepPictures(4) }) })}/pictures?n=2`,
    },
  },
} satisfies Access;
