// One change of a review in a process that kills itself just before the nth command that the change
// sends. Arguments: URI, operation, n, user id, tour id, review id.
import { connectDatabase, disconnectDatabase } from "~/infra/database.server";
import { createReviewOnce } from "~/services/reviews/idempotency.server";
import { createReview } from "~/services/reviews/create.server";
import { deleteReview } from "~/services/reviews/delete.server";
import { updateReview } from "~/services/reviews/update.server";
import { killBefore } from "./kill-before";

const [uri, operation, nth, userId, tourId, reviewId] = process.argv.slice(2) as [
  string,
  "create" | "create once" | "update" | "delete",
  string,
  string,
  string,
  string,
  string,
];

await connectDatabase(uri, { indexes: false });
const survive = killBefore(Number(nth));
const caller = { id: userId };
const body = { tourId, rating: 3, comment: "new" };
if (operation === "create") await createReview(caller, body);
if (operation === "create once") await createReviewOnce(caller, "key", body);
if (operation === "update") await updateReview(caller, reviewId, { rating: 2, comment: "new" });
if (operation === "delete") await deleteReview(caller, reviewId);
survive();
await disconnectDatabase();
