import { Types } from "mongoose";
import { ServiceError } from "~/lib/errors.server";
import { readSignedToken, signedToken } from "~/lib/signed-token.server";
import { pageTexts } from "~/lib/refusal-texts";

// The secrets in the addresses of pages that reporters, authors and suspended users open without a log-in.

type Purpose = "receipt" | "mailed receipt" | "statement" | "sanction";

const tokenFor = (purpose: Purpose) => (id: Types.ObjectId) => signedToken(purpose, id.toString());

/** Returns the token of a report's receipt, by the report's id. */
export const receiptToken = tokenFor("receipt");

/** Returns the token of the link in a receipt's e-mail: whoever has it reads what is sent to the address. */
export const mailedReceiptToken = tokenFor("mailed receipt");

/** Returns the token of a case for the author of what was reported, by the case's id. */
export const statementToken = tokenFor("statement");

/** Returns the token of a warning or a suspension for whom it is about. */
export const sanctionToken = tokenFor("sanction");

export const notValid = () => new ServiceError(404, pageTexts.linkNotValid);

/** Returns the purpose and the id of a token; throws `ServiceError` 404 for one that is not ours, or for another page. */
export function readToken<Accepted extends Purpose>(token: string, purposes: readonly Accepted[]) {
  const read = readSignedToken(token, purposes);
  if (!read) throw notValid();
  return { purpose: read.purpose, id: new Types.ObjectId(read.id) };
}
