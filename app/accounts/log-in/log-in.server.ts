import { sha256 } from "~/lib/digest.server";
import { ServiceError } from "~/lib/errors.server";
import { ipv6Site } from "~/lib/networks.server";
import { type Count, countBefore, type RateLimit, takeBack } from "~/db/rate-limits.server";
import {
  dailyWrongPasswords,
  failedLogins,
  rightPasswords,
  wrongPasswords,
  wrongPasswordsBySite,
} from "~/accounts/limits.server";
import { canonicalEmail } from "~/lib/email-address.server";
import {
  findUserByEmail,
  isSuspended,
  type LogIn,
  SuspendedError,
  toCurrentUser,
} from "~/accounts/users.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { queueKey, oneAttemptAtATime } from "./attempts.server";
import { verifyPassword } from "./hashing.server";
import { isKnownNetwork } from "./known-networks.server";

/**
 * Throws `ServiceError` 400 when address or password is wrong or there were too many wrong ones, 429 when too many
 * log-ins from there have failed or wait, or too many to the account have succeeded, 503 when too many others wait;
 * `SuspendedError` for the right password.
 */
export const logIn = (email: string, password: string, clientAddress: string) =>
  // One at a time from each network: a burst from one network delays no other, and right passwords that
  // arrive together are not counted as wrong.
  oneAttemptAtATime([queueKey(clientAddress)], () => attemptLogIn(email, password, clientAddress));

async function attemptLogIn(
  email: string,
  password: string,
  clientAddress: string,
): Promise<LogIn> {
  const user = await findUserByEmail(email);
  // All spellings of an address find the same account or none, and count together either way.
  const account = user?._id.toString() ?? sha256(canonicalEmail(email));

  const isKnown = () => isKnownNetwork(user?._id ?? null, clientAddress);
  const counts: Count[] = [
    [failedLogins, clientAddress],
    [wrongPasswords, guesser(account, clientAddress)],
    // Strangers' guesses do not lock out networks from which the owner logs in.
    ...countsOfAll(account, clientAddress).map(([limit, key]): Count => [
      unless(isKnown, limit),
      key,
    ]),
  ];
  const isRight = await countBefore(counts, () => verifyPassword(user?.passwordHash, password));
  if (!isRight || !user) throw new ServiceError(400, accountTexts.wrongLogin);
  await takeBack(counts);
  await wrongPasswords.reset(guesser(account, clientAddress));
  await rightPasswords.consume(account);
  if (isSuspended(user)) throw new SuspendedError(user._id.toString());
  const { _id, passwordHash } = user;
  return { user: toCurrentUser(user), proven: { _id, passwordHash } };
}

/** Forgets wrong passwords after a link in an e-mail to the user has set a new one, which nobody else can know. */
export async function forgetAttempts(userId: string, clientAddress: string): Promise<void> {
  await rightPasswords.reset(userId);
  await wrongPasswords.reset(guesser(userId, clientAddress));
  await Promise.all(countsOfAll(userId, clientAddress).map(([limit, key]) => limit.reset(key)));
}

function countsOfAll(account: string, clientAddress: string) {
  const site = ipv6Site(clientAddress);
  const bySite = [wrongPasswordsBySite, guesser(account, site ?? "")] as const;
  return [...(site ? [bySite] : []), [dailyWrongPasswords, account] as const];
}

/** Ignores the limit's refusal where `isSpared`. */
const unless = (isSpared: () => Promise<boolean>, limit: RateLimit): Count[0] => ({
  async consume(key) {
    try {
      await limit.consume(key);
    } catch (refusal) {
      if (!(await isSpared())) throw refusal;
    }
  },
  refund: (key) => limit.refund(key),
});

const guesser = (account: string, clientAddress: string) => `${account} ${clientAddress}`;
