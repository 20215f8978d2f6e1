import type { Access } from "../support/access";

export default { address: "/api/some/where", readers: "anybody" } satisfies Access;
