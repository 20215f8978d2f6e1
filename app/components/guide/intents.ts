/** What the forms of a guide's page ask for, in their field `intent`; its action does nothing else. */
export const INTENTS = ["complete"] as const;
export type Intent = (typeof INTENTS)[number];
