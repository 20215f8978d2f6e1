/**
 * A path of this site that a form wants to go back to, as a `Location` can carry it, or `/`: never
 * another site.
 */
export function safeRedirect(to: FormDataEntryValue | null): string {
  // Browsers skip control characters, and take `\` for `/`, when they read an address.
  if (typeof to !== "string" || !/^\/(?!\/)[^\u0000-\u001f\\]*$/.test(to)) return "/";
  const base = "http://localhost";
  const { origin, pathname, search, hash } = new URL(to, base);
  // `/.//other.example` is a path of two slashes, which is another site to its next reader.
  return origin === base && !pathname.startsWith("//") ? pathname + search + hash : "/";
}
