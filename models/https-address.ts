/** Longest address that visitors are sent to, in UTF-16 units. */
const LONGEST_ADDRESS = 2_048;

/** Reads an address that visitors can be sent to: encrypted, and without anybody's log-in in it. */
export function asHttpsAddress(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > LONGEST_ADDRESS) return undefined;
  if (!/^https:\/\/[^/\\]/i.test(value) || !URL.canParse(value)) return undefined;
  const { username, password } = new URL(value);
  return username || password ? undefined : value;
}
