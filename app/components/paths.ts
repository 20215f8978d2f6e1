/** The address of a tour's page; of one that is gone, the author's own reviews. */
export const tourPath = (slug: string | null) =>
  slug ? `/tours/${encodeURIComponent(slug)}` : "/me";

export const ACCOUNT_PATH = "/me/account";
