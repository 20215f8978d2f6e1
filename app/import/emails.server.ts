import { compareEmails, EMAIL_COLLATION, User } from "#models/user";
import { batches, BATCH } from "~/db/batches";
import { canonicalEmail, spellingsOf } from "~/infra/email-address.server";

const ASCII = /^\p{ASCII}*$/u;

/**
 * Returns keys that two addresses share when they are one address to us (`canonicalEmail`) or to the unique index:
 * MongoDB's index compares by ICU's rules, that of other databases by Unicode's case folding.
 */
const keysOf = (email: string) => [
  ...new Set([canonicalEmail(email), folded(email), folded(email.normalize("NFKD"))]),
];

const folded = (email: string) => email.toUpperCase().toLowerCase();

const isTakenFor = (one: string, other: string) => compareEmails(one, other) === 0;

/** Finds the addresses of a file that are one. */
export class Emails {
  readonly #keys = new Set<string>();
  /** Only with letters beyond ASCII do addresses without a key in common look alike to the unique index. */
  readonly #others: { email: string; number: number }[] = [];

  /** Returns whether the address is that of an earlier user. */
  add(email: string, number: number): boolean {
    const keys = keysOf(email);
    const isRepeat = keys.some((key) => this.#keys.has(key));
    for (const key of keys) this.#keys.add(key);
    if (!isRepeat && !ASCII.test(email)) this.#others.push({ email, number });
    return isRepeat;
  }

  /** The numbers of users whose address has no key of another one, and that the unique index takes for another one. */
  repeats(): number[] {
    const sorted = this.#others.sort(
      (one, other) => compareEmails(one.email, other.email) || one.number - other.number,
    );
    return sorted
      .filter(({ email }, place) => place > 0 && isTakenFor(sorted[place - 1]!.email, email))
      .map(({ number }) => number)
      .sort((one, other) => one - other);
  }
}

/** The numbers of those of up to a hundred users whose address is that of another user in the database. */
export async function findOtherEmails(
  users: { id: string; email: string; number: number }[],
): Promise<Set<number>> {
  const taken = new Set<number>();
  const byKey = new Map(users.flatMap((user) => keysOf(user.email).map((key) => [key, user])));
  const spellings = users.flatMap(({ email }) => spellingsOf(email));
  for (const asked of batches(spellings, BATCH)) {
    const found = await User.find({ email: { $in: asked } }, "email")
      .collation(EMAIL_COLLATION)
      .lean();
    for (const { _id, email } of found) {
      const key = keysOf(email).find((one) => byKey.has(one));
      const user = key ? byKey.get(key) : users.find((one) => isTakenFor(one.email, email));
      if (user && user.id !== _id.toString()) taken.add(user.number);
    }
  }
  return taken;
}
