import type { Access } from "../support/access";

export default {
  readers: "anybody",
  pages: {
    tours: {},
    "tours, nothing found": { address: "/?q=submarine" },
    "tours, a word left out": { address: "/?q=lantern+submarine" },
    "tours, by day": { address: "/?from=2001-01-01&to=2098-12-31" },
    "tours, none on a day": { address: "/?q=lantern&from=2001-01-01&to=2001-01-01" },
  },
} satisfies Access;
