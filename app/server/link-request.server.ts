import { SHOW_FORM } from "~/ui/browser/other-form";
import { refusedForm, formText } from "./form-data.server";
import { requireOwnAccounts } from "./single-sign-on.server";

/** Answers the form of `LinkRequest`; `send` sends a link, and returns the address that it goes to. */
export async function answerLinkRequest(
  request: Request,
  send: (email: string, form: FormData) => Promise<string>,
) {
  requireOwnAccounts(request);
  const form = await request.formData();
  const email = formText(form, "email");
  if (form.has(SHOW_FORM)) return { email };
  try {
    return { email: await send(email, form), isSent: true, again: form.has("again") };
  } catch (error) {
    return refusedForm(error, { email });
  }
}
