/** The values of the field `intent` in the forms of the account page; its action knows no others. */
export const INTENTS = ["profile", "address", "password", "create-token", "revoke-token"] as const;
export type Intent = (typeof INTENTS)[number];
