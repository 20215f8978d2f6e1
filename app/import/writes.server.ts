import { Types } from "mongoose";
import { BATCH, batches } from "~/db/batches";
import { User, type UserDocument } from "#models/user";
import { HASHES_AT_ONCE, hashPassword, verifyPassword } from "~/accounts/log-in/hashing.server";
import { keepReportsOf } from "~/accounts/left-addresses.server";
import { endAccess } from "~/accounts/log-in/sessions.server";
import { inTransaction } from "~/db/transaction.server";
import { canonicalEmail } from "~/lib/email-address.server";
import { type Kind, numbersToWrite, type Records, type States } from "./records.server";
import { keepFormerSlugs } from "./slugs.server";
import type { Spool } from "./spool.server";
import { type Identified, idsIn } from "./stored.server";

const AT_ONCE = 1_000;

interface BulkWriter extends Identified {
  bulkWrite(
    operations: never[],
    options: { ordered: boolean; throwOnValidationError: boolean },
  ): Promise<unknown>;
}

interface Options {
  spool: Spool;
  states: States;
  stopped?: AbortSignal;
}

/**
 * Writes a thousand records at a time, and yields those that it has written. A user who is gone by now is left out. Ends
 * with an `AbortError` when `stopped` aborts.
 */
export async function* writeRecords<Name extends Exclude<Kind, "reviews">>(
  kind: Name,
  model: BulkWriter,
  { spool, states, stopped }: Options,
): AsyncGenerator<{ records: Records[Name][]; done: number }> {
  for (const numbers of batches(numbersToWrite(states[kind]), AT_ONCE, stopped)) {
    const found = numbers.map((number) => ({ number, record: spool.read(kind, number) }));
    const existing = await idsIn(
      model,
      found.map(({ record }) => record.id),
    );
    const records: Records[Name][] = [];
    for (const { number, record } of found) {
      const isKnown = kind === "users" && states.users[number] === "changed";
      if (isKnown && !existing.has(record.id)) states.users[number] = "leftOut";
      else records.push(record);
    }
    if (kind === "tours")
      await keepFormerSlugs(records.filter(({ id }) => existing.has(id)) as Records["tours"][]);
    const known = records.filter(({ id }) => existing.has(id));
    // There is no transaction; reports of an account that has not left its address yet are its own all the same.
    if (kind === "users") await keepReportsOf(await findMovedUsers(known as Records["users"][]));
    const hashes = await findPasswordHashes(known);
    const operations: object[] = [];
    const renewed: [id: string, passwordHash: string][] = [];
    for (const some of batches(records, HASHES_AT_ONCE, stopped)) {
      const hashed = some.map((record) => withPasswordHash(record, hashes.get(record.id)));
      for (const { id = "", passwordHash, ...fields } of await Promise.all(hashed)) {
        const isKnown = existing.has(id);
        if (isKnown && passwordHash) renewed.push([id, passwordHash]);
        const hash = !isKnown && passwordHash && { passwordHash };
        operations.push(upsertOperation({ id, ...fields, ...hash }, isKnown));
      }
    }
    if (operations.length > 0)
      await model.bulkWrite(operations as never[], {
        ordered: false,
        throwOnValidationError: true,
      });
    for (const [id, passwordHash] of renewed) {
      stopped?.throwIfAborted();
      await storeNewPassword(new Types.ObjectId(id), passwordHash);
    }
    yield { records, done: numbers.length };
  }
}

/**
 * Replaces a password by its hash; leaves out both where the user, whose hash is `stored`, has that password already.
 */
export async function withPasswordHash(record: { id?: string }, stored?: unknown) {
  const { password, passwordHash, ...fields } = record as Partial<Records["users"]>;
  const isSame =
    passwordHash === undefined
      ? typeof stored === "string" &&
        password !== undefined &&
        (await verifyPassword(stored, password))
      : passwordHash === stored;
  const hash = isSame ? undefined : (passwordHash ?? (password && (await hashPassword(password))));
  return { ...fields, ...(hash && { passwordHash: hash }) };
}

/** The stored users of these records who get another address. */
async function findMovedUsers(records: Records["users"][]) {
  const users: Pick<UserDocument, "_id" | "email">[] = [];
  for (const some of batches(records, BATCH)) {
    const emails = new Map(some.map(({ id, email }) => [id, canonicalEmail(email)]));
    const found = await User.find({ _id: { $in: [...emails.keys()] } }, "email").lean();
    users.push(
      ...found.filter(({ _id, email }) => emails.get(_id.toString()) !== canonicalEmail(email)),
    );
  }
  return users;
}

/** A record of any list: those of users may have a password. */
type AnyRecord = Pick<Records["users"], "id"> &
  Partial<Pick<Records["users"], "password" | "passwordHash">>;

/** The stored hashes of the users among the records who have a password there. */
async function findPasswordHashes(records: AnyRecord[]) {
  const hashes = new Map<string, unknown>();
  const users = records.filter(({ password, passwordHash }) => password ?? passwordHash);
  for (const some of batches(users, BATCH)) {
    const _id = { $in: some.map(({ id }) => id) };
    for (const user of await User.find({ _id }, "passwordHash").lean())
      hashes.set(user._id.toString(), user.passwordHash);
  }
  return hashes;
}

/** Ends log-ins, links and tokens, too. Nobody is told: who imports has the database (docs/rules/import.md, Import). */
const storeNewPassword = (_id: Types.ObjectId, passwordHash: string) =>
  inTransaction(async (session) => {
    await User.updateOne({ _id }, { $set: { passwordHash } }, { session });
    await endAccess(_id, session);
  });

/** Returns an insert or an update, as is known to be needed: cheaper than an upsert. */
export function upsertOperation({ id, ...fields }: { id: string }, exists: boolean) {
  const _id = new Types.ObjectId(id);
  return exists
    ? { updateOne: { filter: { _id }, update: { $set: fields } } }
    : { insertOne: { document: { _id, ...fields } } };
}
