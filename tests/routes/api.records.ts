import { ONLY_FOR_PROGRAMS, type Access } from "../support/access";

export default { readers: "anybody", changes: { POST: ONLY_FOR_PROGRAMS } } satisfies Access;
