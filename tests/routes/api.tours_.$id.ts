import { ONLY_FOR_PROGRAMS, type Access } from "../support/access";

export default {
  address: ({ tour }) => `/api/tours/${tour._id.toString()}`,
  readers: "anybody",
  changes: {
    PUT: { fields: { title: "written in the test" }, ...ONLY_FOR_PROGRAMS },
    DELETE: ONLY_FOR_PROGRAMS,
  },
} satisfies Access;
