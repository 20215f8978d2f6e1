/** Returns the path of a tour's page; for a deleted tour (null), that of the visitor's own reviews. */
export const tourPath = (slug: string | null) =>
  slug ? `/tours/${encodeURIComponent(slug)}` : "/me";

export const ACCOUNT_PATH = "/me/account";

/** Where a forgotten password is replaced. */
export const RESET_PATH = "/reset";

export const SESSIONS_PATH = "/me/sessions";
