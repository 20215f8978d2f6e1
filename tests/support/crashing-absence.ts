// What becomes of an explorer who did not come, in a process that kills itself just before the nth write.
// Arguments: URI, operation, n, and the id of what the guide has said.
import { connectDatabase, disconnectDatabase } from "~/infra/database.server";
import { signedToken } from "~/infra/signed-token.server";
import { tellAbsent } from "~/services/tours/absences.server";
import { objectByLink } from "~/services/tours/objections.server";
import { killBefore } from "./kill-before";

const [uri, operation, nth, id] = process.argv.slice(2) as [
  string,
  "tell" | "object",
  string,
  string,
];

await connectDatabase(uri, { indexes: false });
const survive = killBefore(Number(nth), { onlyWrites: true });
if (operation === "tell") await tellAbsent();
if (operation === "object")
  await objectByLink(signedToken("absence", id), "192.0.2.1", { completion: "automatic" });
survive();
await disconnectDatabase();
