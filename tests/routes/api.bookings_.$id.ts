import { ONLY_FOR_PROGRAMS, type Access } from "../support/access";

export default {
  address: ({ tour }) => `/api/bookings/${tour._id.toString()}`,
  readers: "anybody",
  changes: {
    PUT: ONLY_FOR_PROGRAMS,
    PATCH: { fields: { status: "COMPLETED" }, ...ONLY_FOR_PROGRAMS },
    DELETE: ONLY_FOR_PROGRAMS,
  },
} satisfies Access;
