import mongoose from "mongoose";
import { vi } from "vitest";

/** Runs `happens` after an operation's first reads and before its transaction, as another process might. */
export function beforeTransaction(happens: () => Promise<unknown>): void {
  const { connection } = mongoose;
  const startSession = connection.startSession.bind(connection);
  vi.spyOn(connection, "startSession").mockImplementationOnce(async () => {
    await happens();
    return startSession();
  });
}
