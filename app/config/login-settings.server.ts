import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { isPrivate } from "./loopback";

const SECRET_LENGTH = 32;

/** `LOGIN_SECRET`: two while they are changed. No message shows them. */
export const loginSecrets = z
  .string()
  .transform((value) => value.split(","))
  .refine(
    (secrets) => secrets.length <= 2 && secrets.every(({ length }) => length >= SECRET_LENGTH),
    {
      error: `must have at least ${SECRET_LENGTH} characters, or be two such secrets with a comma between them`,
      abort: true,
    },
  );

/** `LOGIN_JWKS_URL`: an address, which may be that of a file, or a file's path. */
export const loginKeys = z.string().transform(readAddress);

/** A file is read once now, because otherwise only the first user who logs in would notice a wrong one. */
function readAddress(value: string, context: z.RefinementCtx): URL {
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  const isAddress = /^[a-z]+:\/\//i.test(value);
  if (isAddress && !URL.canParse(value)) return refuse(NO_ADDRESS);
  const address = isAddress ? new URL(value) : pathToFileURL(value);
  if (address.protocol !== "file:")
    return /^https?:$/.test(address.protocol) && isPrivate(address) ? address : refuse(NO_ADDRESS);
  try {
    const { keys } = JSON.parse(readFileSync(address, "utf8")) as { keys?: unknown };
    return Array.isArray(keys) ? address : refuse(NO_KEYS);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return refuse(code ? `cannot be read: ${code}` : NO_KEYS);
  }
}

const NO_ADDRESS = "must be an https address, one of this machine, or a file";
const NO_KEYS = "must be a JSON Web Key Set, which has a list of keys";
