import { accepted, refused, type Access } from "../support/access";

export default {
  readers: "anybody",
  changes: { POST: { strangers: refused(302, "/"), users: accepted(302, "/") } },
} satisfies Access;
