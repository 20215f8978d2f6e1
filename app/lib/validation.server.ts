import { z } from "zod";
import { asDate } from "#models/reading";
import { FormError, ServiceError } from "./errors.server";

/** A date or a time in ISO 8601, of the years 1 to 9999 in UTC. */
export const isoTime = (error?: string) =>
  z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], { error })
    .refine((value) => asDate(value), { error });

/** Whether it is an object of JSON, and no list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * A body that is no object counts as an empty one (docs/rules/requests.md, Bodies and ids). Throws `FormError` 400
 * with the first text of every refused field, or `ServiceError` 400 when the refusal is about no field. The order of a
 * schema's keys is the order of its checks.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const result = schema.safeParse(isObject(input) ? input : {});
  if (result.success) return result.data;
  const error = result.error as z.ZodError<Record<string, unknown>>;
  const { formErrors, fieldErrors } = z.flattenError(error);
  const fields = Object.entries(fieldErrors).flatMap(([name, refusals = []]) =>
    refusals.slice(0, 1).map((first) => [name, first] as const),
  );
  if (fields.length === 0) throw new ServiceError(400, formErrors[0] ?? "");
  throw new FormError(Object.fromEntries(fields));
}
