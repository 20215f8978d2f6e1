import type { Access } from "../support/access";

export default {
  address: ({ review }) => `/dev/mail/${review._id.toString()}`,
  readers: "anybody",
} satisfies Access;
