/** The names of this machine in addresses. */
export const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export const isPrivate = ({ protocol, hostname }: URL) =>
  protocol === "https:" || LOOPBACK.has(hostname);
