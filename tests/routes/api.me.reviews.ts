import type { Access } from "../support/access";

export default { readers: "users" } satisfies Access;
