import type { SanctionDocument, SanctionKind, SanctionScope } from "#models/sanction";

interface SanctionTexts {
  /** The name for operators. */
  name: string;
  title: string;
  effect: string;
}

const WORDS: Record<SanctionKind, Record<SanctionScope, SanctionTexts>> = {
  warning: {
    account: {
      name: "Warning",
      title: "A warning about your account",
      effect:
        "Nothing else happens now. If you break our rules again, we may suspend your account for a time.",
    },
    reports: {
      name: "Warning about reports",
      title: "A warning about your reports",
      effect:
        "Nothing else happens now. If you report again what is plainly allowed, we may stop taking your reports for a time.",
    },
  },
  suspension: {
    account: {
      name: "Suspension",
      title: "Your account is suspended",
      effect:
        "Until then you cannot log in, and your access tokens do not work. Your reviews and replies stay.",
    },
    reports: {
      name: "Suspension from reporting",
      title: "Your reports are not accepted for now",
      effect: "Until then you cannot report reviews or replies. Everything else works as before.",
    },
  },
};

/** Returns what pages and e-mails say about a warning or a suspension (docs/rules/moderation.md, Misuse). */
export const sanctionWords = ({
  kind,
  scope,
}: Pick<SanctionDocument, "kind" | "scope">): SanctionTexts => WORDS[kind][scope];

/** Returns a warning or a suspension as pages show it, without whose it is, and who decided it. */
export function toPublicSanction(found: SanctionDocument) {
  const { _id, kind, scope, at, until, explanation, outcome } = found;
  return {
    id: _id.toString(),
    ...sanctionWords(found),
    ...{ kind, scope, at, until, explanation },
    outcome: outcome && {
      at: outcome.at,
      stands: outcome.stands,
      explanation: outcome.explanation,
    },
  };
}
