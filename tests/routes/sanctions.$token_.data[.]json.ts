import type { Access } from "../support/access";

export default {
  address: ({ cases }) => `/sanctions/${cases.suspension}/data.json`,
  readers: "anybody",
} satisfies Access;
