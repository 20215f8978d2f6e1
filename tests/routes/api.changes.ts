import type { Access } from "../support/access";

export default { readers: "anybody" } satisfies Access;
