import type { Types } from "mongoose";
import { vi } from "vitest";
import { loader as changes } from "~/routes/api.tours_.$id_.changes";
import { loader as tour } from "~/routes/api.tours_.$id";
import { Change, type ChangeDocument } from "#models/change";
import { verifyTour } from "../../scripts/verify";

interface Identified {
  _id: Types.ObjectId;
}

/** The fault that `npm run verify` finds in a tour, of which it asks the routes of this process. */
export async function faultOf({ _id }: Identified): Promise<string | undefined> {
  const answer = (url: URL) => {
    const route = url.pathname.endsWith("/changes") ? changes : tour;
    const args = { params: { id: _id.toString() }, context: {} };
    return route({ request: new Request(url), ...args });
  };
  vi.stubGlobal("fetch", answer);
  try {
    return (await verifyTour("http://localhost:3000", _id.toString())).fault;
  } finally {
    vi.unstubAllGlobals();
  }
}

export const entriesOf = ({ _id: tourId }: Identified) =>
  Change.find({ tourId }).sort({ version: 1 }).lean<ChangeDocument[]>();

/** Each entry in short: its type, the ratings before and after it, the number of reviews and their mean. */
export const shortEntries = async (tour: Identified) =>
  (await entriesOf(tour)).map(({ type, before, stars, count, mean }) => [
    type,
    before,
    stars,
    count,
    mean,
  ]);
