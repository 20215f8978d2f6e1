import type { Access } from "../support/access";

// Only where a platform logs users in: tests/accounts/single-sign-on.http.test.ts
export default { readers: "anybody", pages: { "no pending log-in": {} } } satisfies Access;
