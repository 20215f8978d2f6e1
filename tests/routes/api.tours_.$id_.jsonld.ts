import type { Access } from "../support/access";

export default {
  address: ({ tour }) => `/api/tours/${tour._id.toString()}/jsonld`,
  readers: "anybody",
} satisfies Access;
