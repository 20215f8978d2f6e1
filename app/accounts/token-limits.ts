// Shared by forms and services.

export const TOKENS_PER_USER = 50;

export const TOKENS_PER_PAGE = 20;

/** In days; null is for ever. */
export const TOKEN_LIFETIMES = {
  "30": { label: "30 days", days: 30 },
  "90": { label: "90 days", days: 90 },
  "365": { label: "A year", days: 365 },
  never: { label: "Until I revoke it", days: null },
} as const;

export const DEFAULT_LIFETIME: keyof typeof TOKEN_LIFETIMES = "90";
