import { ONLY_FOR_PROGRAMS, type Access } from "../support/access";

export default {
  address: ({ guide }) => `/api/users/${guide._id.toString()}`,
  readers: "anybody",
  changes: { PUT: ONLY_FOR_PROGRAMS, DELETE: ONLY_FOR_PROGRAMS },
} satisfies Access;
