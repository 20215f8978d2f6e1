import { z } from "zod";

// Fields and examples that the schemas of the API have in common.

export const EXAMPLE_TOUR = "66a1f0c2d4e5f60718293a4b";
export const EXAMPLE_REVIEW = "66a1f1d3e5f60718293a4b5c";
export const EXAMPLE_BOOKING = "66a1f2e4f607182930a4b5c6";
export const EXAMPLE_USER = "66a1e9b1c3d4e5f607182930";

export const id = z.string().regex(/^[0-9a-f]{24}$/);

export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ format: "date-time", description: "ISO 8601 in UTC with milliseconds." });

export const count = z.number().int().min(0);
