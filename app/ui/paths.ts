/**
 * A deleted tour (null) leads to the visitor's own reviews. A path that ends in `.data` would be the data of another
 * page.
 */
export const tourPath = (slug: string | null) =>
  slug ? `/tours/${encodeURIComponent(slug).replace(/\.data$/, "%2Edata")}` : "/me";

export const tourChangesPath = (slug: string) => `${tourPath(slug)}/changes`;

/** The page of the picture at that place, counted from 1. */
export const tourPicturePath = (slug: string, number: number) =>
  `${tourPath(slug)}/pictures${number > 1 ? `?n=${number}` : ""}`;

/** Null for the id that is nobody's. */
export const guidePath = (id: string) => (/^0+$/.test(id) ? null : `/guides/${id}`);

export const reviewPath = (id: string) => `/reviews/${id}`;

/** The same, opened at the review, which is marked then. */
export const reviewAddress = (id: string) => `${reviewPath(id)}#review-${id}`;

export const replyAddress = (id: string) => `${reviewPath(id)}#reply`;

/** A file for its author. */
export const receiptPath = (id: string) => `${reviewPath(id)}/receipt`;

/** The form that reports something at that address of the site. */
export const reportPath = (address: string) => `/report?url=${encodeURIComponent(address)}`;

export const OPERATOR_PATH = "/operator";
export const operatorCasePath = (id: string) => `${OPERATOR_PATH}/cases/${id}`;

/** The form with which operators warn or suspend the author of a case's item, or who sent the report of that id. */
export const misusePath = (caseId: string, reportId: string | null) =>
  `${operatorCasePath(caseId)}/misuse${reportId === null ? "" : `?report=${reportId}`}`;

export const operatorSanctionPath = (id: string) => `${OPERATOR_PATH}/sanctions/${id}`;

/** The page, and its form, with which the tour's guide replies to a review. */
export const replyPath = (id: string) => `${reviewPath(id)}/reply`;

/** The page on which an explorer objects to a no-show, by the secret of an e-mail. */
export const absencePath = (token: string) => `/absences/${token}`;

/** The page on which a guest reviews a tour, by the secret of an e-mail. */
export const requestPath = (token: string) => `/review/${token}`;

export const ACCOUNT_PATH = "/me/account";

export const RESET_PATH = "/reset";

export const SESSIONS_PATH = "/me/sessions";
