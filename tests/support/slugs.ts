/** Slugs that look like an address of the site or of Remix, or need every kind of escape. */
export const HOSTILE_SLUGS = [
  ...["x.data", "x.data.data", ".data", "_root.data", "_root", "_index", "index", "__manifest"],
  ...["reviews", "edit", "delete", "api", "build", "tours", "reviews.data", "...", "-", "~.."],
  ...[
    "a+b",
    "a&b=c",
    "a;b=c",
    "100%",
    "50% off",
    'it\'s "quoted" (really)!*',
    "<b>",
    "a\\b",
    "a:b@c",
  ],
  ...[
    "UPPER-Case",
    "\u{1f9ed}",
    "\u4eac\u90fd\u306e\u6563\u6b69",
    "\u062c\u0648\u0644\u0629",
    "cafe\u0301",
    "na\u00efve",
    "a,b|c^d`e{f}[g]$",
  ],
];
