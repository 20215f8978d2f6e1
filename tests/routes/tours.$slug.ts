import {
  accepted,
  TO_LOG_IN_WITH_FIELDS,
  NOT_POSTED,
  opinion,
  tourAddress,
  type Access,
} from "../support/access";
import { keepPictures, makeTour } from "../support/factories";

export default {
  address: tourAddress,
  readers: "anybody",
  pages: {
    tour: {},
    "tour, to be booked": {
      address: async () =>
        tourAddress({ tour: await makeTour({ bookingUrl: "https://tours.example.com/harbour" }) }),
    },
    "tour, filtered": { address: "/tours/porto-sarrava-by-lantern?stars=5&comments=1" },
    "tour, searched": { address: "/tours/sunset-sail-to-isola-merla?q=boat&lang=en" },
    "tour with pictures": {
      address: async () => tourAddress({ tour: await makeTour({ images: await keepPictures(4) }) }),
    },
    "tour without reviews": { address: async () => tourAddress({ tour: await makeTour() }) },
    "tour, write a review": { as: "explorer", address: "/tours/sunset-sail-to-isola-merla" },
    "tour, own tour": { as: "guide" },
  },
  changes: {
    POST: {
      fields: opinion,
      strangers: TO_LOG_IN_WITH_FIELDS,
      ...NOT_POSTED,
      booked: accepted(302, tourAddress),
    },
  },
} satisfies Access;
