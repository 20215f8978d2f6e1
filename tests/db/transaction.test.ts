import { mongo } from "mongoose";
import { expect, test } from "vitest";
import { requestScope } from "~/infra/request-scope.server";
import { inTransaction } from "~/db/transaction.server";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import { makeTour } from "../support/factories";

useDatabase();

test("a transaction that meets many conflicts in a row still comes through in its time", async () => {
  let conflicts = 60;
  const work = () => {
    if (conflicts-- > 0)
      throw new mongo.MongoServerError({
        message: "WriteConflict",
        code: 112,
        errorLabels: ["TransientTransactionError"],
      });
    return Promise.resolve("done");
  };
  expect(await inTransaction(work)).toBe("done");
});

test("nothing is committed for a request that was given up", async () => {
  const tour = await makeTour();
  const change = () =>
    inTransaction((session) =>
      Tour.updateOne({ _id: tour._id }, { $set: { title: "changed" } }, { session }),
    );
  const scope = { requestId: "1", clientAddress: "192.0.2.1" };
  await expect(requestScope.run({ ...scope, abandoned: true }, change)).rejects.toThrow("given up");
  // Also when that happens in the middle.
  const late = { ...scope, abandoned: false };
  const giveUp = () =>
    inTransaction(async (session) => {
      await Tour.updateOne({ _id: tour._id }, { $set: { title: "changed" } }, { session });
      late.abandoned = true;
    });
  await expect(requestScope.run(late, giveUp)).rejects.toThrow("given up");
  expect((await Tour.findById(tour._id).lean())!.title).toBe(tour.title);
  await requestScope.run(scope, change);
  expect((await Tour.findById(tour._id).lean())!.title).toBe("changed");
});
