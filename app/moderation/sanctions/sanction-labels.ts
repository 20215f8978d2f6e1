import type { SanctionKind, SanctionScope } from "#models/sanction";

// What the page and the e-mails of a warning or a suspension say (docs/rules/moderation.md, Misuse). Apart from labels.ts, so that
// the browser loads it with that page only.

/** The section of `/about/reviews` about warnings and suspensions. */
export const MISUSE_PATH = "/about/reviews#misuse";

/** The page of a warning or a suspension for whoever holds that token (links.server.ts). */
export const sanctionPath = (token: string) => `/sanctions/${token}`;

/** What a warning or a suspension is called, for whom it is about. */
export const SANCTION_TITLES: Record<SanctionKind, Record<SanctionScope, string>> = {
  warning: { account: "A warning about your account", reports: "A warning about your reports" },
  suspension: {
    account: "Your account is suspended",
    reports: "Your reports are not accepted for now",
  },
};

/** What follows from it. */
export const SANCTION_EFFECTS: Record<SanctionKind, Record<SanctionScope, string>> = {
  warning: {
    account:
      "Texts of yours broke our rules more than once. If that goes on, your account may be suspended for a time.",
    reports:
      "You have reported what is plainly allowed more than once. If that goes on, we may not accept your reports for a time.",
  },
  suspension: {
    account:
      "Until then you cannot log in, and your access tokens do not work. Your reviews and replies stay.",
    reports: "Until then you cannot report reviews or replies. Everything else works as before.",
  },
};
