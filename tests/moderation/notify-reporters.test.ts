import { expect, it } from "vitest";
import { continueCases } from "~/moderation/notify-reporters.server";
import { NO_ID } from "#models/reading";
import { Case } from "#models/case";
import { Notification } from "#models/notification";
import {
  addressOf,
  caseOf,
  decideAs,
  makeCaseScene,
  openReceiptsOf,
  report,
} from "../support/cases";
import { useDatabase } from "../support/database";

useDatabase();

it("tells the reporters of every case, also beside one that always fails", async () => {
  const broken = await makeCaseScene();
  await report(addressOf(broken.review));
  // Somebody has changed the database by hand: there is nothing to tell of.
  const { _id } = await caseOf(broken.review);
  await Case.updateOne({ _id }, { $set: { toldAfter: NO_ID, decisions: [] } });
  const { review, operator } = await makeCaseScene();
  await report(addressOf(review), { email: "rita@example.test" });
  await openReceiptsOf("rita@example.test");
  await decideAs(operator, await caseOf(review), { action: "keep" });
  const mailed = () => Notification.countDocuments({ kind: "account" });
  const before = await mailed();
  await continueCases();
  expect(await mailed()).toBe(before + 1);
});
