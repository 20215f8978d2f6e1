import { z } from "zod";

/** Hosts may have others in them, such as ";", which in a header begins another part of a policy. */
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
