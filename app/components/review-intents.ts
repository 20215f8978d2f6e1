/** The form that edits a review is opened with a text that was typed elsewhere. */
export const OPEN = "open";

/** The values of the field `intent` of the form that edits a review; without it, the form saves. */
export const INTENTS = ["save", OPEN] as const;
