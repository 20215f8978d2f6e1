import type { Access } from "../support/access";

export default { address: "/pictures/none.webp", readers: "anybody" } satisfies Access;
