import { Types } from "mongoose";
import { expect, test } from "vitest";
import { claimAccess } from "~/accounts/access.server";
import { inTransaction } from "~/db/transaction.server";
import { Access } from "#models/access";
import { useDatabase } from "../support/database";

useDatabase();

test("of transactions that claim one user's access, each sees what the one before has written", async () => {
  const userId = new Types.ObjectId();
  const seen: number[] = [];
  const claim = () =>
    inTransaction(async (session) => {
      await claimAccess(userId, session);
      return (await Access.findById(userId).session(session).lean())!.version;
    });
  await Promise.all(Array.from({ length: 12 }, async () => seen.push(await claim())));
  expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
});
