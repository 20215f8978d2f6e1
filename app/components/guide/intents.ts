/** The values of the field `intent` in the forms of the guide's page; its action knows no others. */
export const INTENTS = ["complete", "undo"] as const;
export type Intent = (typeof INTENTS)[number];
