import type { Access } from "../support/access";

// The page of an error that arises before Remix; it is shown at other addresses.
export default { address: "/errors/404", readers: "anybody" } satisfies Access;
