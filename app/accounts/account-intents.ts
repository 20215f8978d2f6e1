/** The values of the field `intent` in the forms of the account page; its action knows no others. */
export const INTENTS = [
  "profile",
  "address",
  "password",
  "reply-mails",
  "create-token",
  "revoke-token",
] as const;
export type Intent = (typeof INTENTS)[number];
