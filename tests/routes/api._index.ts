import type { Access } from "../support/access";

export default { readers: "anybody", pages: { "the API": {} } } satisfies Access;
