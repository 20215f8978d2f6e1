import { expect } from "vitest";
import { logIn, WRONG_LOGIN } from "~/services/accounts/log-in.server";

/** What a wrong address or password is refused with. */
export const WRONG = { status: 400, message: WRONG_LOGIN };

/** What is refused after too many wrong passwords. */
export const WAIT = {
  status: 400,
  message: expect.stringMatching(
    /^Too many wrong passwords for this account\. Please wait 1[0-5] minutes and try again\.$/,
  ),
};

/** Where log-ins come from unless a test says otherwise. */
export const HOME = "192.0.2.1";

/** The message of a refusal, or "in". */
export const outcome = (email: string, password: string, from = HOME) =>
  logIn(email, password, from).then(
    () => "in",
    (error: Error) => error.message,
  );

/** Tries a wrong password so many times, each of which is refused. */
export async function fail(email: string, times: number, from = HOME) {
  for (let time = 0; time < times; time++)
    await expect(logIn(email, "wrong", from)).rejects.toMatchObject(WRONG);
}
