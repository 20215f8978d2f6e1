import { data } from "@remix-run/node";
import { FormError, type FormErrors, ServiceError } from "~/lib/errors.server";
import { retryAfterHeader } from "./retry-after.server";

/** Returns a field, empty when it is absent or a file. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

export const formTexts = <Name extends string>(
  form: FormData,
  names: readonly Name[],
): Record<Name, string> =>
  Object.fromEntries(names.map((name) => [name, formText(form, name)])) as Record<Name, string>;

/**
 * The action's answer to a form that a service refused, with `extra` for what the form shows again. Any other error is
 * rethrown. The route also exports `headers` of retry-after.server.ts.
 */
export function refusedForm<Extra extends object>(error: unknown, extra: Extra = {} as Extra) {
  if (!(error instanceof ServiceError)) throw error;
  const { status } = error;
  return data(
    { errors: toFormErrors(error), ...extra },
    { status, headers: retryAfterHeader(error) },
  );
}

function toFormErrors(error: ServiceError): FormErrors {
  if (error instanceof FormError) return { fields: error.fields };
  const { field, message } = error;
  return field ? { fields: { [field]: message } } : { fields: {}, form: message };
}
