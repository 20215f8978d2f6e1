import type { ActionFunctionArgs } from "@remix-run/node";
import { FormError } from "~/infra/errors.server";
import type { appealBy } from "~/moderation/appeals.server";
import { DELETE } from "~/moderation/statement-page";
import { clientAddress } from "./current-user.server";
import { refusedForm, text } from "./form-data.server";
import { redirectWithNotice } from "./pages.server";

interface Page {
  path: (token: string) => string;
  appeal: ReturnType<typeof appealBy>;
  remove: (token: string, clientAddress: string) => Promise<void>;
  /** What `remove` deletes, and the page to which it leads. */
  removed: { name: string; to?: string };
}

/** Answers the forms of the page of a decision, by which the holder of its link appeals, or deletes something. */
export async function answerStatement(
  { request, params }: ActionFunctionArgs,
  { path, appeal, remove, removed: { name, to } }: Page,
) {
  const token = params.token ?? "";
  const form = await request.formData();
  const words = text(form, "words");
  try {
    if (text(form, "intent") !== DELETE) {
      await appeal(token, { words }, clientAddress());
      return await redirectWithNotice(request, path(token), "Your appeal was sent.");
    }
    if (text(form, "sure") !== "yes")
      throw new FormError({ sure: `Tick this if you want to delete your ${name}.` });
    await remove(token, clientAddress());
    return await redirectWithNotice(request, to ?? path(token), `Your ${name} is deleted.`);
  } catch (error) {
    return refusedForm(error, { values: { words } });
  }
}
