import { Types } from "mongoose";
import { ServiceError } from "~/infra/errors.server";
import { readSignedToken, signedToken } from "~/infra/signed-token.server";

// The addresses of the pages that reporters and authors open without a log-in.

const PURPOSES = ["receipt", "statement"] as const;
const MAILED = "mailed receipt";
const SANCTION = "sanction";

/** The secret in the address of a report's receipt. */
export const receiptToken = (reportId: Types.ObjectId) =>
  signedToken("receipt", reportId.toString());

/** The secret in the link of a receipt's e-mail: whoever has it reads what is sent to the address. */
export const mailedReceiptToken = (reportId: Types.ObjectId) =>
  signedToken(MAILED, reportId.toString());

/** Returns the id of the report of such a token; throws `ServiceError` 404 for one that is not ours. */
export function readMailedToken(token: string): Types.ObjectId {
  const read = readSignedToken(token, [MAILED]);
  if (!read) throw new ServiceError(404, "This link is not valid.");
  return new Types.ObjectId(read.id);
}

/** The secret in the address of what was decided about somebody's review or reply, for its author. */
export const statementToken = (caseId: Types.ObjectId) =>
  signedToken("statement", caseId.toString());

/** The secret in the address of a warning or a suspension, for whom it is about. */
export const sanctionToken = (sanctionId: Types.ObjectId) =>
  signedToken(SANCTION, sanctionId.toString());

/** Returns the id of the warning or suspension of a token; throws `ServiceError` 404 for one that is not ours. */
export function readSanctionToken(token: string): Types.ObjectId {
  const read = readSignedToken(token, [SANCTION]);
  if (!read) throw new ServiceError(404, "This link is not valid.");
  return new Types.ObjectId(read.id);
}

/** Returns of what a token is; throws `ServiceError` 404 for one that is not ours. */
export function readCaseToken(
  token: string,
): { reportId: Types.ObjectId } | { caseId: Types.ObjectId } {
  const read = readSignedToken(token, PURPOSES);
  if (!read) throw new ServiceError(404, "This link is not valid.");
  const id = new Types.ObjectId(read.id);
  return read.purpose === "receipt" ? { reportId: id } : { caseId: id };
}
