import type { Access } from "../support/access";

// Belongs to this machine, and has no visitor's data.
export default { readers: "anybody" } satisfies Access;
