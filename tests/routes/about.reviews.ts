import type { Access } from "../support/access";

export default { readers: "anybody", pages: { "how reviews are checked": {} } } satisfies Access;
