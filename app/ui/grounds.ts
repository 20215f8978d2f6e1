import type { Ground } from "#models/case";

export type { Ground };

/** The ground of a decision, as a part of a sentence, and the section of `/about/reviews` with its rule. */
export const GROUND_TEXTS: Record<Ground, { label: string; section: string }> = {
  danger: { label: "danger to somebody’s life or safety", section: "content" },
  unlawful: { label: "against the law", section: "content" },
  "personal-data": { label: "personal data", section: "content" },
  "other-tour": { label: "not about this tour", section: "content" },
  advantage: { label: "paid for or rewarded", section: "fakes" },
  hateful: { label: "insulting or hateful", section: "content" },
  "off-topic": { label: "off topic", section: "content" },
  other: { label: "another rule for reviews and replies", section: "content" },
  order: { label: "order of an authority", section: "operators" },
  allowed: { label: "allowed by the rules", section: "content" },
};

export const rulePath = (ground: Ground) => `/about/reviews#${GROUND_TEXTS[ground].section}`;
