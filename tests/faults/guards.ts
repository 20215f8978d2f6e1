import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PartReport } from "./report";
import { vitest, withDatabase } from "./support";

/** Code that keeps a promise, and the name of a test that must fail without it. */
interface Guard {
  name: string;
  file: string;
  /** The code of the guard, which the file contains exactly once, however it is formatted. */
  code: string;
  /** The code that replaces it when the guard is removed; none by default. */
  without?: string;
  /** A part of the test's name. */
  test: string;
  /** Whether the test starts the built app. */
  built?: true;
}

export const GUARDS: Guard[] = [
  {
    name: "the transaction",
    file: "app/db/transaction.server.ts",
    code: "session.withTransaction(attemptTransaction, {",
    without: "((run: () => Promise<Result>, _: object) => run())(attemptTransaction, {",
    test: "a failure after the insert leaves nothing",
  },
  {
    name: "the claim of the tour",
    file: "app/reviews/change-tour.server.ts",
    code: "await claimTour(tourId, session, changes.length)",
    without: "true",
    test: "has another entity tag after each change",
  },
  {
    name: "the booking, looked at again inside the transaction",
    file: "app/reviews/may-review.server.ts",
    code: "{ $match: { userId, tourId, status: COMPLETED } },",
    without: "{ $match: { userId, tourId } },",
    test: "is decided again inside the transaction",
  },
  {
    name: "the tour's guide, looked at again inside the transaction",
    file: "app/reviews/may-review.server.ts",
    code: 'if (tour.createdById.equals(userId)) return { kind: "ownTour" };',
    test: "is decided again inside the transaction",
  },
  {
    name: "the explorer, looked at again inside the transaction",
    file: "app/reviews/may-review.server.ts",
    code: "const isActive = explorer !== null && !isSuspended(explorer);",
    without: "const isActive = true;",
    test: "is decided again inside the transaction",
  },
  {
    name: "the owner and the 24 hours, looked at again inside the transaction of an edit",
    file: "app/reviews/edit.server.ts",
    code: "requireEditable(review, author, { now, ifMatch });",
    test: "a review that changed hands",
  },
  {
    name: "the owner, looked at again inside the transaction of a deletion",
    file: "app/reviews/delete.server.ts",
    code: "requireDeletable(review, author, { ifMatch });",
    test: "a review that changed hands",
  },
  {
    name: "the second attempt of those who shared a failed transaction",
    file: "app/reviews/change-tour.server.ts",
    code: "if (changes.length === 1 || error instanceof UncertainError) {",
    without: "if (changes.length > 0) {",
    test: "affects no other",
  },
  {
    name: "the end of all after a lost commit",
    file: "app/reviews/change-tour.server.ts",
    code: "changes.length === 1 || error instanceof UncertainError",
    without: "changes.length === 1",
    test: "the answer to the commit was lost",
  },
  {
    name: "the end of each request in a shared transaction",
    file: "app/db/transaction.server.ts",
    code: "if (requests.some(isAborted))",
    without: "if (began < 0)",
    test: "because its request was given up",
  },
  {
    name: "the doubt about a commit without an answer",
    file: "app/db/transaction.server.ts",
    code: "throw isCommitting ? new UncertainError({ cause: error }) : error;",
    without: "throw error;",
    test: "says that it may be stored",
  },
  {
    name: "the time of a transaction",
    file: "app/db/transaction.server.ts",
    code: "if (isLate) throw new BusyError();",
    test: "is that which is left of its request's",
  },
  {
    name: "the lease of due work",
    file: "app/jobs/due-work.server.ts",
    code: "$set: { ...this.#in(this.options.leaseMs), lease }, $inc",
    without: "$set: { lease }, $inc",
    test: "keeps a mail from other processes",
  },
  {
    name: "the claim's filter",
    file: "app/jobs/due-work.server.ts",
    code: "{ _id: next._id, ...due }",
    without: "{ _id: next._id }",
    test: "many workers at once send each mail once",
  },
  {
    name: "the lease as a fencing token",
    file: "app/mail/delivery.server.ts",
    code: "const mine = ({ lease }: LeasedMail) => ({ lease });",
    without:
      "const mine = ({ _id, lease: _ }: LeasedMail) => ({ _id }) as object as { lease: string };",
    test: "does not take the lease of the one that is sending",
  },
  {
    name: "the count of a pair's e-mails",
    file: "app/mail/last-look.server.ts",
    code: "return dueAt ? {",
    without: "return false ? {",
    test: "three arrive in an hour",
  },
  {
    name: "the state that was read of a sliding count",
    file: "app/db/sliding-limit.server.ts",
    code: "{ _id, version: found.version }",
    without: "{ _id }",
    test: "is exact for many at once",
  },
  {
    name: "the review, looked for before its e-mail is sent",
    file: "app/mail/pair.server.ts",
    code: 'if (!review || (isReply && !(await isReplyShown(reviewId)))) return "gone";',
    without: 'if (!review) return "none";',
    test: "is not sent when",
  },
  {
    name: "the lease's holder, who records what a webhook has got",
    file: "app/reviews/webhooks/sender.server.ts",
    code: "await addresses.giveBack({ _id, lease }, pause, fields)",
    without: "await addresses.giveBack({ _id } as never, pause, fields)",
    test: "of a process that was overtaken lets it record nothing more",
  },
  {
    name: "the transaction of a webhook's events",
    file: "app/reviews/record-changes.server.ts",
    code: "await Notification.collection.insertMany(outbox, { session });",
    without: "await Notification.collection.insertMany(outbox);",
    test: "is not there when its change is aborted",
  },
  {
    name: "a link that is used once",
    file: "app/accounts/email-links.server.ts",
    code: "if (deletedCount === 0) throw deadLink();",
    without: "void deletedCount;",
    test: "used up by another process",
  },
  {
    name: "the address that a reset's link was sent to",
    file: "app/accounts/log-in/password-reset.server.ts",
    code: "const account = { _id, email };",
    without: "const account = { _id };",
    test: "is not used at another address, whatever its page has said",
  },
  {
    name: "the same steps for a taken address",
    file: "app/accounts/log-in/sign-up.server.ts",
    code: "await issueLink(",
    without: "if (!user) await issueLink(",
    test: "takes the same steps whether or not there is an account",
  },
  {
    name: "the end of an account's links with its password",
    file: "app/accounts/log-in/sessions.server.ts",
    code: "await EmailLink.deleteMany({ userId }, { session });",
    test: "after a change of the password",
  },
  {
    name: "the count before a password is tried",
    file: "app/accounts/log-in/log-in.server.ts",
    code: "[failedLogins, clientAddress],",
    test: "of 300 wrong log-ins from one network: 100 are tried",
  },
  {
    name: "the turns of the hashing",
    file: "app/accounts/log-in/hashing.server.ts",
    code: "const hashes = pLimit(HASHES_AT_ONCE);",
    without: "const hashes = pLimit(1_000);",
    test: "are for every hash",
  },
  {
    name: "--sync-on-commit",
    file: "scripts/database/keeper.mjs",
    code: '"--sync-on-commit",',
    test: "with everything that it acknowledged",
  },
  {
    name: "the folder of the keeper",
    file: "scripts/database/keeper.mjs",
    code: '|| folder !== identityOf(".")',
    test: "has in its copy a database of its own",
  },
  {
    name: "the unique index",
    file: "models/review.ts",
    code: "{ unique: true, partialFilterExpression: { tourId: ANY_ID, userId: ANY_ID } }",
    without: "{ partialFilterExpression: { tourId: ANY_ID, userId: ANY_ID } }",
    test: "12 posts and 12 inserts of the platform of one pair at once",
    built: true,
  },
  {
    name: "the origin guard",
    file: "app/server/guard/guard.server.ts",
    code: "isFromOtherSite: isForeign(request),",
    without: "isFromOtherSite: false,",
    test: "is refused, and writes nothing",
    built: true,
  },
  {
    name: "the guide who withdraws a reply, looked at again inside the transaction",
    file: "app/reviews/replies/reply.server.ts",
    code: "await requireWithdrawable(author, session); const withdrawn =",
    without: "const withdrawn =",
    test: "the guide who withdraws is decided again inside the transaction",
  },
  {
    name: "what an operator has seen, compared inside the transaction",
    file: "app/moderation/decide.server.ts",
    code: "if (found.version !== input.version || tag !== input.tag) throw new ServiceError(412, CHANGED_MEANWHILE);",
    test: "what an operator has not seen: another decision, another text, another reply",
  },
  {
    name: "whether an operator is concerned",
    file: "app/moderation/decide.server.ts",
    code: "if (refusal) throw new ServiceError(403, refusal);",
    test: "whoever is concerned, or has reported it",
  },
  {
    name: "the pair of a removed review, looked at again inside the transaction",
    file: "app/reviews/may-review.server.ts",
    code: "(await RemovedReview.exists({ tourId, userId }).session(session)) !== null",
    without: "false",
    test: "keeps the pair taken, whoever else looks, also where it happens while a POST looks",
  },
  {
    name: "that nobody acts as the owner of a suspended account",
    file: "app/accounts/users.server.ts",
    code: "!isClosedUser(user) && !isSuspended(user)",
    without: "!isClosedUser(user)",
    test: "suspends an account for a time: nobody acts as its owner",
  },
  {
    name: "an operator's right, which their act claims",
    file: "app/moderation/operators.server.ts",
    code: "if (session) await claimAccess(_id, session);",
    test: "is not made once its operator has been",
  },
  {
    name: "that a report stays with the account that has left its address",
    file: "app/accounts/left-addresses.server.ts",
    code: "await Report.bulkWrite(operations, { session });",
    test: "whoever has left the address of a report",
  },
  {
    name: "the bound of each cache in bytes",
    file: "app/lib/cache.server.ts",
    code: "maxSize: maxBytes,",
    without: "maxSize: 1e12,",
    test: "many and large pages stay within 20 MB",
  },
  {
    name: "the right to a verified review, which a booking's change claims",
    file: "app/reviews/list/verified.server.ts",
    code: "await claimTour(tourId, session);",
    test: "of a review that is being posted, ",
  },
  {
    name: "the entry of a change in its transaction",
    file: "app/reviews/ratings.server.ts",
    code: "await recordChanges(tourId, { ...recorded, counts }, session)",
    without: "await recordChanges(tourId, { ...recorded, changes: [], counts }, session)",
    test: "also of changes that share a transaction, without a gap",
  },
  {
    name: "the last entry of a tour that its platform has put back",
    file: "app/reviews/record-changes.server.ts",
    code: "if (!(error instanceof EarlierTourError) || mended.has(error.tourId.toString())) throw error;",
    without: "throw error;",
    test: "put back an earlier state of the tour",
  },
  {
    name: "the order of all entries by their times",
    file: "app/reviews/record-changes.server.ts",
    code: "last && last.time > now ? last.time : now",
    without: "now",
    test: "no entry is earlier than the one before",
  },
  {
    name: "the figures at the ends of months",
    file: "app/reviews/record-changes.server.ts",
    code: "if (last && monthOf(last.time) < monthOf(time))",
    without: "if (last && monthOf(last.time) > monthOf(time))",
    test: "have the rating at the end of each month",
  },
  {
    name: "that a page's scripts load after its fonts and pictures",
    file: "app/entry.server.tsx",
    code: 'named.replaceAll(PRELOADS, "")',
    without: "named",
    test: "a page has no link to a script",
    built: true,
  },
  {
    name: "the bound of what a platform's hash costs",
    file: "app/accounts/log-in/hashing.server.ts",
    code: "&& !isTooCostly(passwordHash)",
    test: "as a platform may have stored it: it counts as none",
  },
  {
    name: "the steps of public figures",
    file: "app/moderation/figures/small-numbers.ts",
    code: "count - (count % FEWEST)",
    without: "count",
    test: "tell nothing of one removal",
  },
  {
    name: "that a public site without TRUST_PROXY believes nobody",
    file: "app/server/guard/client-address.server.ts",
    code: "|| !(local || trustProxy)",
    test: "is believed by a site that others reach only where a proxy names its clients",
  },
  {
    name: "that a record takes an address or slug only from who gets another one",
    file: "app/import/put-records.server.ts",
    code: "if (!record) return [];",
    without: "if (!record) continue;",
    test: "who keeps the address keeps it",
  },
  {
    name: "the end of the access of those who exchange addresses",
    file: "app/import/put-records.server.ts",
    code: 'exchangeEmails(group as Records["users"][], { moved })',
    without: 'exchangeEmails(group as Records["users"][], { ...(!moved && { moved }) })',
    test: "end the access of each, as any new address does",
  },
  {
    name: "that no platform moves an operator's address",
    file: "app/import/new-access.server.ts",
    code: "if (await Operator.exists({ _id }).session(session)) throw new ServiceError(403, texts.operatorAccount);",
    test: "are none of an operator's",
  },
  {
    name: "that a closed tour opens with the record that it had",
    file: "app/import/put-record.server.ts",
    code: "&& !before.closedHereAt",
    test: "leaves list and sitemap, keeps its page and reviews",
    built: true,
  },
  {
    name: "that a closed tour is in no list",
    file: "app/search/tour-refresh.server.ts",
    code: "&& !closedHereAt",
    test: "leaves list and sitemap, keeps its page and reviews",
    built: true,
  },
  {
    name: "that a closed tour has no departure on its guide's page",
    file: "app/guides/guide-profile.server.ts",
    code: "if (tour.closedHereAt) return null;",
    test: "says so in frame, badge and on its guide's pages",
    built: true,
  },
  {
    name: "the log-in of each tab on the platform",
    file: "app/server/single-sign-on.server.ts",
    code: "COOKIE + pendingLogIn.nonce.slice(0, 8)",
    without: 'COOKIE + "one"',
    test: ", and each logs in",
    built: true,
  },
  {
    name: "that a nonce logs in once",
    file: "app/server/single-sign-on.server.ts",
    code: "|| !(await spendNonce(pendingLogIn.nonce, new Date(pendingLogIn.until)))",
    test: "a second time, also by another process, at the same moment",
    built: true,
  },
  {
    name: "the minute by which the clocks of two machines may differ",
    file: "app/accounts/log-in/platform-token.server.ts",
    code: "clockTolerance: CLOCKS_DIFFER",
    without: "clockTolerance: 0",
    test: "only past a minute by which the clocks of two machines",
    built: true,
  },
  {
    name: "the algorithms that a setting names",
    file: "app/accounts/log-in/platform-token.server.ts",
    code: "filter(({ keys }) => keys.length > 0)",
    without: "filter(({ keys }) => keys)",
    test: "by the shared secret only where there is one",
    built: true,
  },
  {
    name: "the two minutes in which an entry may still come",
    file: "app/reviews/list-changes.server.ts",
    code: "Date.now() - LONGEST_TRANSACTION_MS",
    without: "Date.now()",
    test: "none of the last two minutes",
    built: true,
  },
];

/**
 * Removes one guard after another in a copy of this checkout, where its test must then fail; with all guards, all of
 * these tests pass. With a word it does so only for the guards whose names contain it.
 */
export default async function guards(report: PartReport, word = ""): Promise<void> {
  const chosen = GUARDS.filter(({ name }) => name.includes(word));
  if (chosen.length === 0) throw new Error(`No guard's name contains "${word}"`);
  for (const guard of chosen) withoutGuard(guard, readFileSync(guard.file, "utf8"));
  await withCopy((root) =>
    withDatabase(async (mongodbUri) => {
      const run = (tests: string[]) => runTests(root, mongodbUri, tests);
      const before = await run(chosen.map(({ test }) => test));
      const other = chosen.filter((_, n) => before[n] !== "green").map(({ test }) => test);
      report.check(
        "with every guard in place",
        `${chosen.length - other.length} of ${chosen.length} green ${other.join(", ")}`.trim(),
        other.length === 0,
      );
      for (const guard of chosen) {
        const restore = await takeAway(root, guard);
        const [outcome] = await run([guard.test]);
        await restore();
        report.check(`without ${guard.name}`, `${guard.test}: ${outcome}`, outcome === "red");
      }
    }),
  );
}

/**
 * Returns the source of the guard's file without the guard. Throws unless the guard is there exactly once. White
 * space is ignored, and so is a comma that a formatter adds before the end of a list.
 */
export function withoutGuard({ name, file, code, without = "" }: Guard, source: string): string {
  const tokens = code.match(/\w+|[^\s\w]/g)!;
  const pattern = tokens
    .map((token) => (/[)\]}]/.test(token) ? `,?\\s*\\${token}` : escaped(token)))
    .join("\\s*");
  const [found, another] = source.matchAll(new RegExp(pattern, "g"));
  if (!found || another) throw new Error(`${file} does not have once what is ${name}: ${code}`);
  return source.slice(0, found.index) + without + source.slice(found.index + found[0].length);
}

/** Removes the guard in the copy, and returns a function that puts it back. */
async function takeAway(root: string, guard: Guard): Promise<() => Promise<void>> {
  const file = join(root, guard.file);
  const original = readFileSync(file, "utf8");
  const { atime, mtime } = await stat(file);
  await writeFile(file, withoutGuard(guard, original));
  // Only tests that start an app need a build; they get a new one each time.
  if (!guard.built) await utimes(file, atime, mtime);
  return async () => {
    await writeFile(file, original);
    await utimes(file, atime, mtime);
  };
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

type Outcome = "green" | "red" | "not run";

/** The files of tests that contain that text. */
export const testsWith = (text: string): string[] =>
  readdirSync("tests", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => join("tests", file))
    .filter((file) => readFileSync(file, "utf8").includes(text));

/** Runs just these tests of the copy. */
async function runTests(root: string, mongodbUri: string, tests: string[]): Promise<Outcome[]> {
  const files = new Set(tests.flatMap(testsWith));
  const results = await vitest(["-t", `(${tests.map(escaped).join("|")})`, ...files], {
    cwd: root,
    env: { MONGODB_URI: mongodbUri },
  });
  const ran = results.flatMap(({ assertionResults }) => assertionResults);
  return tests.map((test) => {
    const found = ran.filter(({ fullName }) => fullName.includes(test));
    if (found.some(({ status }) => status === "failed")) return "red";
    return found.some(({ status }) => status === "passed") ? "green" : "not run";
  });
}

/**
 * A copy of this checkout, removed afterwards. It is inside the checkout, so that its modules are found; only their
 * `.cache` is its own.
 */
async function withCopy(work: (root: string) => Promise<void>): Promise<void> {
  const left = new Set(["node_modules", ".git", ".cache", ".data", "test-results"]);
  await mkdir(".cache", { recursive: true });
  const root = await mkdtemp(join(process.cwd(), ".cache", "guards-"));
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
  try {
    for (const name of await readdir("."))
      if (!left.has(name)) await cp(name, join(root, name), options);
    const cache = join("node_modules", ".cache");
    await cp(cache, join(root, cache), options);
    // Otherwise commands of the copy would install all packages in it.
    const installed = join("node_modules", ".package-lock.json");
    await cp(installed, join(root, installed), options);
    await work(root);
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}
