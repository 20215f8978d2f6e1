import { compareEmails } from "#models/user";
import { findUsersBySpelling } from "~/accounts/users.server";
import { batches } from "~/db/batches";
import { canonicalEmail } from "~/lib/email-address.server";

const ASCII = /^\p{ASCII}*$/u;

/**
 * Returns keys that two addresses share when they are one address to us (`canonicalEmail`) or to the unique index:
 * MongoDB's index compares by ICU's rules, that of other databases by Unicode's case folding.
 */
const addressKeys = (email: string) => [
  ...new Set([canonicalEmail(email), foldedCase(email), foldedCase(email.normalize("NFKD"))]),
];

const foldedCase = (email: string) => email.toUpperCase().toLowerCase();

/** The address of a user of the file. */
interface NumberedEmail {
  email: string;
  number: number;
}

/** The address of a user with that id, which another user of the database may have. */
export interface MovedEmail extends NumberedEmail {
  id: string;
}

const isTakenFor = (one: string, other: string) => compareEmails(one, other) === 0;

/** Finds the addresses of a file that are one. */
export class Emails {
  readonly #keys = new Set<string>();
  /**
   * Addresses with letters beyond ASCII: the unique index may treat two of them as one although they have no key in
   * common.
   */
  readonly #others: NumberedEmail[] = [];

  /** Returns whether the address is that of an earlier user. */
  add(email: string, number: number): boolean {
    const keys = addressKeys(email);
    const isRepeat = keys.some((key) => this.#keys.has(key));
    for (const key of keys) this.#keys.add(key);
    if (!isRepeat && !ASCII.test(email)) this.#others.push({ email, number });
    return isRepeat;
  }

  /**
   * Returns the numbers of users whose address has no key in common with another one, but is that one for the unique
   * index.
   */
  repeats(): number[] {
    const sorted = this.#others.sort(
      (one, other) => compareEmails(one.email, other.email) || one.number - other.number,
    );
    return sorted
      .filter(({ email }, place) => {
        const before = sorted[place - 1];
        return before && isTakenFor(before.email, email);
      })
      .map(({ number }) => number)
      .sort((one, other) => one - other);
  }
}

const ASKED_AT_ONCE = 10;

/** The ids of the other users in the database who have the address of one of the users, by that one's number. */
export async function findOtherEmails(users: MovedEmail[]): Promise<Map<number, string[]>> {
  const owners = new Map<number, string[]>();
  for (const some of batches(users, ASKED_AT_ONCE))
    await Promise.all(
      some.map(async ({ id, email, number }) => {
        const owning = await findUsersBySpelling(email, "_id");
        const others = owning.map(({ _id }) => _id.toString()).filter((owner) => owner !== id);
        if (others.length > 0) owners.set(number, others);
      }),
    );
  return owners;
}
