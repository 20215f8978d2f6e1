import type { Access } from "../support/access";

export default {
  address: ({ guide }) => `/guides/${guide._id.toString()}`,
  readers: "anybody",
  pages: { "guide as others see them": {} },
} satisfies Access;
