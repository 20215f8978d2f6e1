import { accepted, UNAUTHORIZED, NOT_POSTED, opinion, type Access } from "../support/access";

export default {
  readers: "anybody",
  changes: {
    POST: {
      fields: ({ tour }) => ({ tourId: tour._id.toString(), ...opinion }),
      strangers: UNAUTHORIZED,
      ...NOT_POSTED,
      booked: accepted(201, "Review submitted successfully"),
    },
  },
} satisfies Access;
