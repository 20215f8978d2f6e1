import type { Action, ItemKind, Reason } from "#models/case";

export type { Action };

// Texts of pages, mails and services about reports and decisions (docs/rules/moderation.md, Reports and Decisions).
// Without zod and Mongoose, so that the browser may have it.

/** Why something is reported, as the form offers it. */
export const REASON_LABELS: Record<Reason, string> = {
  danger: "It puts somebody’s life or safety in danger",
  unlawful: "It is against the law in another way",
  "personal-data": "It shares personal information",
  "other-tour": "It is not about this tour",
  advantage: "It was paid for or rewarded",
  hateful: "It is insulting or hateful",
  "off-topic": "It is off topic",
  other: "Something else",
};

/** The section about warnings and suspensions. */
export const MISUSE_PATH = "/about/reviews#misuse";

// The pages of whoever holds such a token (app/moderation/links.server.ts).
export const casePath = (token: string) => `/cases/${token}`;
export const sanctionPath = (token: string) => `/sanctions/${token}`;
export const mailedReceiptPath = (token: string) => `/receipts/${token}`;

/** Says what was done, to everybody whom it concerns. */
export function actionInWords(action: Action, kind: ItemKind): string {
  if (action === "keep") return `The ${kind} stays as it is.`;
  if (action === "redact") return "The words of the review were removed. Its rating still counts.";
  if (action === "restore") return `The ${kind} is shown again as it was.`;
  return kind === "review"
    ? "The review was removed. It is no longer shown, and its rating no longer counts."
    : "The reply is no longer shown.";
}

export const BY_PEOPLE = "A person decided this, not software.";
export const COURTS =
  "You can also go to court where you live, or within the European Union to a certified body for out-of-court disputes.";

/** How many reports and appeals came between an operator's reading of a case and their decision. */
export interface Meanwhile {
  reports: number;
  appeals: number;
}

/** Says to an operator that their decision was stored. */
export function decidedInWords({ reports, appeals }: Meanwhile): string {
  const came = [counted(reports, "report"), counted(appeals, "appeal")].filter(Boolean);
  if (came.length === 0) return "Your decision was stored.";
  const waits = appeals === 0 ? "" : " The case waits for a decision about it again.";
  return `Your decision was stored. While you decided, ${came.join(" and ")} came.${waits}`;
}

const counted = (count: number, name: string) =>
  count === 0 ? "" : count === 1 ? `1 ${name}` : `${count} ${name}s`;

/** How many decided cases an operator's search looks through, the newest ones. */
export const SEARCHED_CASES = 300;

/** The bookings of a guide, of which some are no-shows, are counted up to this number. */
export const MOST_BOOKINGS = 1_000;

/** The longest text of a report, an explanation or an appeal, in characters. */
export const WORDS_MAX_LENGTH = 5_000;

/** How long after a decision somebody can appeal, and its words are kept, in months. */
export const APPEAL_MONTHS = 6;

export const appealEnd = (decidedAt: Date): Date => monthsAfter(decidedAt, APPEAL_MONTHS);

/** For how long a warning counts before a suspension, in months. */
export const WARNING_MONTHS = 12;

export function monthsAfter(time: Date, months: number): Date {
  const end = new Date(time);
  end.setUTCMonth(end.getUTCMonth() + months);
  return end;
}

/** How many days a suspension can take. */
export const SUSPENSION_DAYS = [7, 30, 90, 180];
