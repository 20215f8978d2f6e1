// One operation of a service, in a process that kills itself just before the nth write that it sends to the database.
// Arguments: URI, operation, n, and the ids that the operation needs.
import { writeSync } from "node:fs";
import mongoose from "mongoose";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { signedToken } from "~/lib/signed-token.server";
import { getCase } from "~/moderation/cases.server";
import { decide } from "~/moderation/decide.server";
import { continueCases } from "~/moderation/notify-reporters.server";
import { deleteReview } from "~/reviews/delete.server";
import { editReview } from "~/reviews/edit.server";
import { postReview } from "~/reviews/post.server";
import { putReply } from "~/reviews/replies/reply.server";
import { tellAbsent } from "~/guides/departures/absences.server";
import { objectByLink } from "~/guides/departures/objections.server";
import { report } from "./cases";

const post = (userId: string, tourId: string) =>
  postReview({ id: userId }, { tourId, rating: 3, comment: "new" }, { key: "key" });

async function decideAbout(action: string, userId: string, caseId: string) {
  const caller = { id: userId };
  const { version, tag, reports } = await getCase(caller, caseId);
  const ground = action === "restore" ? "allowed" : "hateful";
  const form = { action, ground, explanation: "By the rule.", reference: "" };
  return () => decide(caller, caseId, { version, tag, reports, appeals: 0, ...form });
}

type Run = () => Promise<unknown>;
/** By name. Each returns the part that is killed. */
const OPERATIONS: Record<string, (...ids: string[]) => Run | Promise<Run>> = {
  create: (user, tour) => () => post(user, tour),
  update: (user, _, review) => () =>
    editReview({ id: user }, review, { rating: 2, comment: "new" }),
  delete: (user, _, review) => () => deleteReview({ id: user }, review),
  redact: (operator, _, found) => decideAbout("redact", operator, found),
  remove: (operator, _, found) => decideAbout("remove", operator, found),
  restore: (operator, _, found) => decideAbout("restore", operator, found),
  reply: (guide, review) => () => putReply({ id: guide }, review, { text: "Thank you." }),
  report: (_, review) => () => report(`/reviews/${review}`, { email: `${review}@crash.test` }),
  "tell reporters": () => continueCases,
  "tell the absent": () => tellAbsent,
  object: (absence) => () =>
    objectByLink(signedToken("absence", absence), "192.0.2.1", { completion: "automatic" }),
};

interface Started {
  commandName: string;
  command: { lsid?: { id: mongoose.mongo.Binary }; startTransaction?: boolean };
}

/** The commands that change something, or make it last. */
const WRITES = ["insert", "update", "delete", "findAndModify", "commitTransaction"];

const [uri, operation, nth, ...ids] = process.argv.slice(2) as [string, string, string];
await connectDatabase(uri, { indexes: false });
const run = await OPERATIONS[operation]!(...ids);
let left = Number(nth);
let announced = false;
const onCommand = ({ commandName, command }: Started) => {
  if (WRITES.includes(commandName) && --left === 0) process.kill(process.pid, "SIGKILL");
  if (announced || command.lsid === undefined || !command.startTransaction) return;
  // The database session of the first transaction, which the test ends.
  writeSync(1, command.lsid.id.toString("hex"));
  announced = true;
};
const client = mongoose.connection.getClient();
client.on("commandStarted", onCommand as never);
await run();
client.off("commandStarted", onCommand as never);
await disconnectDatabase();
