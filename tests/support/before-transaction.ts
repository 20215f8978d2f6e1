import mongoose from "mongoose";
import { vi } from "vitest";

/** Lets `happens` come between what an operation reads first and its transaction, as another process may. */
export function beforeTransaction(happens: () => Promise<unknown>): void {
  const { connection } = mongoose;
  const startSession = connection.startSession.bind(connection);
  vi.spyOn(connection, "startSession").mockImplementationOnce(async () => {
    await happens();
    return startSession();
  });
}
