import { z } from "zod";

/**
 * The characters of a host. URLs allow others, such as ";", which begins another directive in a content security
 * policy.
 */
const HOST = /^(\[[\d.:a-f]+\]|[\w-]+(\.[\w-]+)*\.?)$/;

export const httpAddress = z
  .url({ protocol: /^https?$/, error: "must be an http(s) address", abort: true })
  .refine((value) => HOST.test(new URL(value).hostname), {
    error: "must have a host of letters, digits, hyphens and dots",
    abort: true,
  });

/** Without a path, as browsers send it. */
export const origin = httpAddress
  .refine((value) => new URL(value).href === `${new URL(value).origin}/`, {
    error: "must be an origin without a path, such as https://reviews.example.com",
  })
  .transform((value) => new URL(value).origin);
