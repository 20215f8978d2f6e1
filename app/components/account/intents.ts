/** What the account page's forms ask for, in their field `intent`; its action does nothing else. */
export const INTENTS = ["profile", "password", "create-token", "revoke-token"] as const;
export type Intent = (typeof INTENTS)[number];
