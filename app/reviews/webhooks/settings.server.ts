import { z } from "zod";
import { isPrivate } from "~/config/loopback";

const MOST_ADDRESSES = 10;

/** `WEBHOOK_URLS`. */
export const webhookUrls = z
  .string()
  .transform((value) => [...new Set(value.split(",").map((part) => part.trim()))])
  .refine((urls) => urls.every(isWebhookUrl) && urls.length <= MOST_ADDRESSES, {
    error: `must be at most ${MOST_ADDRESSES} https addresses, or some of this machine, with commas between them and without a user name`,
    abort: true,
  })
  .transform((urls) => urls.map((url) => new URL(url).href));

/** `WEBHOOK_SECRET`: the keys, several while they are changed. No message shows them. */
export const webhookSecrets = z
  .string()
  .transform((value) => value.split(/\s+/).filter(Boolean).map(readSecret))
  .refine((keys) => keys.length > 0 && keys.every(isKey), {
    error:
      "must be whsec_ and 24 to 64 bytes in base64, or several such secrets with spaces between them",
    abort: true,
  });

function isWebhookUrl(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return isPrivate(url) && !url.username && !url.password;
}

/** The form of Standard Webhooks; empty for any other. */
const readSecret = (secret: string) =>
  Buffer.from(/^whsec_([a-z0-9+/]+={0,2})$/i.exec(secret)?.[1] ?? "", "base64");

const isKey = ({ length }: Buffer) => length >= 24 && length <= 64;
