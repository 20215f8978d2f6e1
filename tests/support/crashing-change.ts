// One change of a review in a process that kills itself just before the nth command that the change
// sends. Arguments: URI, operation, n, user id, tour id, review id.
import { connectDatabase, disconnectDatabase } from "~/infra/database.server";
import { postReview } from "~/services/reviews/post.server";
import { deleteReview } from "~/services/reviews/delete.server";
import { editReview } from "~/services/reviews/edit.server";
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
if (operation === "create") await postReview(caller, body);
if (operation === "create once") await postReview(caller, body, { key: "key" });
if (operation === "update") await editReview(caller, reviewId, { rating: 2, comment: "new" });
if (operation === "delete") await deleteReview(caller, reviewId);
survive();
await disconnectDatabase();
