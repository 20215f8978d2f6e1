/** The form that edits a review is opened with a text that was typed elsewhere. */
export const OPEN = "open";

/** The values of the field `intent` of the form that edits a review; without it, the form saves. */
export const INTENTS = ["save", OPEN] as const;

/** The same of the page of a guide's reply. */
export const SAVE = "save";
export const WITHDRAW = "withdraw";
export const REPLY_INTENTS = [SAVE, WITHDRAW] as const;
