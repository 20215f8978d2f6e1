import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { FormError } from "~/lib/errors.server";
import type { appealBy } from "~/moderation/appeals.server";
import { DELETE } from "~/moderation/statement-page";
import { moderationTexts } from "~/moderation/refusal-texts";
import { clientAddress } from "./current-user.server";
import { refusedForm, formText } from "./form-data.server";

interface StatementPage {
  path: (token: string) => string;
  appeal: ReturnType<typeof appealBy>;
  remove: (token: string, clientAddress: string) => Promise<void>;
  /** The text that `remove` deletes. */
  removed: string;
}

/** Answers the forms of the page of a decision, by which the holder of its link appeals, or deletes something. */
export async function answerStatement(
  { request, params }: ActionFunctionArgs,
  { path, appeal, remove, removed }: StatementPage,
) {
  const token = params.token ?? "";
  const form = await request.formData();
  const words = formText(form, "words");
  try {
    if (formText(form, "intent") !== DELETE) await appeal(token, { words }, clientAddress());
    else if (formText(form, "sure") === "yes") await remove(token, clientAddress());
    else throw new FormError({ sure: moderationTexts.sureMissing(removed) });
    // Without a notice, which would need a session: the page says what has been done.
    return redirect(path(token));
  } catch (error) {
    return refusedForm(error, { values: { words } });
  }
}
