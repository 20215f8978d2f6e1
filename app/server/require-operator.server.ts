import { data, redirect } from "@remix-run/node";
import { type FormErrors, ServiceError } from "~/lib/errors.server";
import type { Proof } from "~/accounts/fields.server";
import type { CurrentUser } from "~/accounts/users.server";
import { texts } from "~/lib/refusal-texts";
import { confirmOperator, isOperator } from "~/moderation/operators.server";
import { refusedForm, formTexts } from "./form-data.server";
import { errorPage, redirectWithNotice, requireUser } from "./pages.server";
import { commitSession, getSession, takeFlash } from "./session.server";

const HOME = "/operator";
const CASE_OR_SANCTION =
  /^\/operator\/(sanctions\/[0-9a-f]{24}|cases\/[0-9a-f]{24}(\?decision=[a-z-]+|\/misuse(\?report=[0-9a-f]{24})?)?)$/;

/** The current user, who is an operator. For anybody else there is no such page. */
export async function requireOperator(request: Request): Promise<CurrentUser> {
  const user = await requireUser(request);
  if (!(await isOperator(user))) throw errorPage(new ServiceError(404, texts.notFound));
  return user;
}

/** Whether the operator has given their password within the last half an hour. */
export const isReauthenticated = async (request: Request): Promise<boolean> =>
  ((await getSession(request)).get("operatorUntil") ?? 0) > Date.now();

/** Leads others to where they can give their password, and back. */
export async function requireConfirmedOperator(request: Request): Promise<CurrentUser> {
  const user = await requireOperator(request);
  if (await isReauthenticated(request)) return user;
  throw toConfirm(request);
}

function toConfirm(request: Request, setCookie?: string): Response {
  const { pathname, search } = new URL(request.url);
  const headers = setCookie ? { "Set-Cookie": setCookie } : undefined;
  return redirect(`${HOME}?to=${encodeURIComponent(pathname + search)}`, { headers });
}

/** Returns the texts of the form that leads to `path` which were sent too late to be confirmed. */
export async function takeTyped(
  request: Request,
  path: string,
): Promise<Record<string, string> | undefined> {
  return (await takeFlash(request, "typed", (typed) => typed.path === path))?.values;
}

const NO_ERRORS: FormErrors = { fields: {} };

/**
 * Answers an operator's form: runs `decide` with its texts, and leads to `path` with the notice that it returns; shows
 * the page with the texts again where it returns null.
 */
export async function answerOperator<Name extends string>(
  request: Request,
  names: readonly Name[],
  path: string,
  decide: (user: CurrentUser, values: Record<Name, string>) => Promise<string | null>,
) {
  const user = await requireOperator(request);
  const values = formTexts(await request.formData(), names);
  if (!(await isReauthenticated(request))) {
    const session = await getSession(request);
    session.set("typed", { path, values });
    throw toConfirm(request, await commitSession(session));
  }
  try {
    const notice = await decide(user, values);
    return notice === null
      ? data({ errors: NO_ERRORS, values })
      : await redirectWithNotice(request, path, notice);
  } catch (error) {
    return refusedForm(error, { values });
  }
}

/** Notes that the operator has given their password, and leads on to `to` if it is an operator's page. */
export async function confirm(
  request: Request,
  user: CurrentUser,
  { proof, to }: { proof: Proof; to: string },
) {
  const until = await confirmOperator(user, proof);
  const session = await getSession(request);
  session.set("operatorUntil", until);
  const isOurs = CASE_OR_SANCTION.test(to);
  return redirect(isOurs ? to : HOME, {
    headers: { "Set-Cookie": await commitSession(session) },
  });
}
