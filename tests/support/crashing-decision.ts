// What an operator, a reporter or a guide does, in a process that kills itself just before the nth write.
// Arguments: URI, operation, n, id of the operator or guide, of the review, and of its case, as far as there are any.
import { connectDatabase, disconnectDatabase } from "~/infra/database.server";
import { getCase } from "~/services/moderation/cases.server";
import { decide } from "~/services/moderation/decide.server";
import { continueCases } from "~/services/moderation/telling.server";
import { putReply } from "~/services/reviews/reply.server";
import { report } from "./cases";
import { killBefore } from "./kill-before";

const [uri, operation, nth, userId, reviewId, caseId] = process.argv.slice(2) as [
  string,
  "redact" | "remove" | "restore" | "reply" | "report" | "tell",
  string,
  string,
  string,
  string,
];

await connectDatabase(uri, { indexes: false });
const caller = { id: userId };
const isDecision = operation === "redact" || operation === "remove" || operation === "restore";
const seen = isDecision ? await getCase(caller, caseId) : { version: 0, tag: "", reports: 0 };
const survive = killBefore(Number(nth), { onlyWrites: true });
if (isDecision)
  await decide(caller, caseId, {
    ...{ version: seen.version, tag: seen.tag, reports: seen.reports, appeals: 0 },
    ...{ action: operation, reference: "" },
    ...{ ground: operation === "restore" ? "allowed" : "hateful", explanation: "By the rule." },
  });
if (operation === "reply") await putReply(caller, reviewId, { text: "Thank you." });
if (operation === "report")
  await report(`/reviews/${reviewId}`, { email: `${reviewId}@crash.test` });
if (operation === "tell") await continueCases();
survive();
await disconnectDatabase();
