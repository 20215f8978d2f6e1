export const INTENTS = ["complete", "undo"] as const;
export type Intent = (typeof INTENTS)[number];
