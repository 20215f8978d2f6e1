import type { Access } from "../support/access";

export default {
  address: "/some/where",
  readers: "anybody",
  pages: { "not found": { address: "/no-such-page" } },
} satisfies Access;
