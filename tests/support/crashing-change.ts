// One change of a review in a process that kills itself just before the nth command that the change
// sends. Arguments: URI, operation, n, user id, tour id, review id. Prints the id of the database
// session that its transaction ran in, in hex.
import { writeSync } from "node:fs";
import mongoose from "mongoose";
import { connectDatabase, disconnectDatabase } from "~/infra/database.server";
import { createReviewOnce } from "~/services/reviews/idempotency.server";
import { createReview } from "~/services/reviews/create.server";
import { deleteReview } from "~/services/reviews/delete.server";
import { updateReview } from "~/services/reviews/update.server";

const [uri, operation, nth, userId, tourId, reviewId] = process.argv.slice(2) as [
  string,
  "create" | "create once" | "update" | "delete",
  string,
  string,
  string,
  string,
];

await connectDatabase(uri, { indexes: false });
let left = Number(nth);
let announced = false;
const onCommand = ({
  command,
}: {
  command: { lsid?: { id: mongoose.mongo.Binary }; startTransaction?: boolean };
}) => {
  if (--left === 0) process.kill(process.pid, "SIGKILL");
  if (announced || command.lsid === undefined || !command.startTransaction) return;
  writeSync(1, command.lsid.id.toString("hex"));
  announced = true;
};
mongoose.connection.getClient().on("commandStarted", onCommand as never);

const caller = { id: userId };
const body = { tourId, rating: 3, comment: "new" };
if (operation === "create") await createReview(caller, body);
if (operation === "create once") await createReviewOnce(caller, "key", body);
if (operation === "update") await updateReview(caller, reviewId, { rating: 2, comment: "new" });
if (operation === "delete") await deleteReview(caller, reviewId);
mongoose.connection.getClient().off("commandStarted", onCommand as never);
await disconnectDatabase();
