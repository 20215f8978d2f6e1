import { expect } from "vitest";
import { logIn, WRONG_LOGIN } from "~/services/accounts/log-in.server";

/** The error for a wrong address or password. */
export const WRONG = { status: 400, message: WRONG_LOGIN };

/** The error after too many wrong passwords. */
export const WAIT = {
  status: 400,
  message: expect.stringMatching(
    /^Too many wrong passwords for this account\. Please wait 1[0-5] minutes and try again\.$/,
  ),
};

/** The address of log-ins unless a test says otherwise. */
export const HOME = "192.0.2.1";

/** The message of a refusal, or "in". */
export const outcome = (email: string, password: string, from = HOME) =>
  logIn(email, password, from).then(
    () => "in",
    (error: Error) => error.message,
  );

/** Tries a wrong password that many times; each is refused. */
export async function fail(email: string, times: number, from = HOME) {
  for (let time = 0; time < times; time++)
    await expect(logIn(email, "wrong", from)).rejects.toMatchObject(WRONG);
}
