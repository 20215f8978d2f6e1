import { domainToASCII, domainToUnicode } from "node:url";
import { z } from "zod";

/** Longest address, in characters (RFC 5321, 4.5.3.1). */
export const EMAIL_MAX_LENGTH = 254;

const ASCII = /^\p{ASCII}*$/u;

/** Characters that show nothing; no new address may have them. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/**
 * The invisible characters that are left out when stored addresses are compared: control and format characters and
 * fillers.
 */
const IGNORED = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Characters at which a URL parser ends a host or begins an escape; no domain may have them. */
const NO_DOMAIN = /[%#/:?@\\]/;

/**
 * The text that all spellings of an address have in common, by which accounts are found and limits are counted: form C,
 * without regard to case, the domain as the DNS has it, without invisible characters. A text that is too long for an
 * address stays as it is.
 */
export function canonicalEmail(email: string): string {
  if (email.length > EMAIL_MAX_LENGTH) return email;
  const [local, domain] = parts(email.trim());
  const lower = local.replace(IGNORED, "").normalize().toLowerCase().normalize();
  // The Greek sigma has two small letters.
  return lower.replaceAll("ς", "σ") + asciiDomain(domain).toLowerCase();
}

/** The address as it is stored and written to: as typed, in form C, the domain as the DNS has it. */
export function sendableEmail(email: string): string {
  const [local, domain] = parts(email);
  return local.normalize() + asciiDomain(domain);
}

/** Finds every stored spelling. The index also finds other addresses: compare them by `canonicalEmail`. */
export function emailSpellings(email: string): string[] {
  if (email.length > EMAIL_MAX_LENGTH) return [];
  const canonical = canonicalEmail(email);
  const [local, domain] = parts(canonical);
  const readable = domain.includes("xn--") ? local + domainToUnicode(domain) : canonical;
  const all = [email.trim(), canonical, readable];
  // Not every database treats the two forms of Unicode as the same (docs/decisions/005-embedded-database.md).
  const forms = all.flatMap((spelling) => [spelling.normalize("NFC"), spelling.normalize("NFD")]);
  // The index ignores case.
  return [...new Set(forms.map((spelling) => spelling.toLowerCase()))];
}

/** Whether a new account may have it: an address to browsers (`type=email`), or an internationalised one. */
export function isEmail(email: string): boolean {
  if (UNSEEN.test(email)) return false;
  const [local, domain] = parts(sendableEmail(email));
  return z.regexes.html5Email.test(local.replace(/\P{ASCII}/gu, "x") + domain);
}

/** Whether an account of a platform may have it: something on both sides of an `@`, and every character visible. */
export function mayBeEmail(email: string): boolean {
  const at = email.lastIndexOf("@");
  return at > 0 && at < email.length - 1 && !UNSEEN.test(email);
}

function parts(email: string): [local: string, domain: string] {
  const at = email.lastIndexOf("@") + 1;
  return [email.slice(0, at), email.slice(at)];
}

/** The domain as the DNS has it; what is in ASCII, or no domain, as it is. */
const asciiDomain = (domain: string) =>
  ASCII.test(domain) || NO_DOMAIN.test(domain) ? domain : domainToASCII(domain) || domain;
