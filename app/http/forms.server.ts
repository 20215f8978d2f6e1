import { FormError, type FormErrors, ServiceError } from "../infra/errors.server";
import { noteRetryAfter } from "./guard.server";

/** A form's text field, empty when it is absent or a file. */
export function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** What a form shows of a service's refusal; any other error is thrown on. */
export function formErrors(error: unknown): FormErrors {
  noteRetryAfter(error);
  if (error instanceof FormError) return { fields: error.fields };
  if (!(error instanceof ServiceError)) throw error;
  const { field, message } = error;
  return field ? { fields: { [field]: message } } : { fields: {}, form: message };
}
