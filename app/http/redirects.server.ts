/** Longer than any address of a page here, in characters; a header has room for it. */
const LONGEST = 2_000;

/**
 * The path of this site that a form's `redirectTo` names, fit for a `Location` header; `/` for
 * anything else. Never another site (docs/rules.md, Other sites).
 */
export function safeRedirect(to: FormDataEntryValue | null): string {
  // Browsers read an address without its control characters and take `\` for `/`.
  if (typeof to !== "string" || to.length > LONGEST || !/^\/(?!\/)[^\u0000-\u001f\\]*$/.test(to))
    return "/";
  const base = "http://localhost";
  const { origin, pathname, search, hash } = new URL(to, base);
  // `/.//other.example` becomes `//other.example`, which a browser takes for another site.
  return origin === base && !pathname.startsWith("//") ? pathname + search + hash : "/";
}
