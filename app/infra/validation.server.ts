import type { z } from "zod";
import { FormError, ServiceError } from "./errors.server";

/** The parsed body; a body that is no object counts as an empty one (contract). */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  const result = schema.safeParse(isObject ? body : {});
  if (result.success) return result.data;
  const { issues } = result.error;
  if (issues[0]!.path.length === 0) throw new ServiceError(400, issues[0]!.message);
  const fields: Record<string, string> = {};
  for (const { path, message } of issues) fields[String(path[0])] ??= message;
  throw new FormError(fields);
}

/** The parsed form. Throws `FormError` with one text for every field that is refused. */
export function parseForm<Schema extends z.ZodType>(
  schema: Schema,
  form: z.input<Schema>,
): z.output<Schema> {
  const result = schema.safeParse(form);
  if (result.success) return result.data;
  const fields: Record<string, string> = {};
  for (const { path, message } of result.error.issues) fields[String(path[0])] ??= message;
  throw new FormError(fields);
}
