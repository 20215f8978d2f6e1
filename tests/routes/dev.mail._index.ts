import type { Access } from "../support/access";
import { mailsPath } from "../support/app";

// Belongs to the developer's own machine, and has no visitor's data.
export default {
  readers: "anybody",
  pages: { "captured mails": { address: () => mailsPath() } },
} satisfies Access;
