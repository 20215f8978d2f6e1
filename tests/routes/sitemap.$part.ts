import type { Access } from "../support/access";

export default { address: "/sitemap/1.xml", readers: "anybody" } satisfies Access;
