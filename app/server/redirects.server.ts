/** The longest such path, in characters: a link by e-mail keeps it for a day. */
const LONGEST = 2_000;

/**
 * The path of this site that a form's `redirectTo` names, fit for a `Location` header; `/` for anything else. Never
 * another site (docs/rules/requests.md, Other sites).
 */
export function safeRedirect(to: FormDataEntryValue | null): string {
  // Browsers read an address without its control characters and take `\` for `/`.
  if (typeof to !== "string" || to.length > LONGEST || !/^\/(?!\/)[^\u0000-\u001f\\]*$/.test(to))
    return "/";
  const base = "http://localhost";
  const { origin, pathname, search, hash } = new URL(to, base);
  // `/.//other.example` becomes `//other.example`, which a browser takes for another site.
  const path = pathname + search + hash;
  return origin === base && !pathname.startsWith("//") && path.length <= LONGEST ? path : "/";
}
