import { expect, it } from "vitest";
import { findReports } from "~/moderation/case-reports.server";
import { Case } from "#models/case";
import {
  addressOf,
  caseOf,
  decideAs,
  makeCaseScene,
  newOperator,
  openReceiptsOf,
  report,
} from "../support/cases";
import { useDatabase } from "../support/database";
import { makeReview, makeUser } from "../support/factories";

// The reports of a case as an operator sees them, with what became of the reporters' other ones.

useDatabase();

it("are told with how many others of the same account or address led to something", async () => {
  const { review, tour, operator } = await makeCaseScene();
  const rita = await makeUser();
  for (const action of ["remove", "remove", "keep", "redact"]) {
    const other = await makeReview(await makeUser(), tour, { comment: "Words" });
    await report(addressOf(other), {}, rita);
    if (action === "redact") await report(addressOf(other), { email: "anna@example.test" });
    await decideAs(operator, await caseOf(other), { action });
  }
  // Given back on appeal.
  const first = (await Case.findOne().sort({ _id: 1 }))!;
  await Case.updateOne({ _id: first._id }, { state: "appealed" });
  await decideAs(await newOperator(), first, { action: "restore" });
  await report(addressOf(review), {}, rita);
  await report(addressOf(review), { email: "anna@example.test" });
  await report(addressOf(review), { email: "first@example.test" });
  await report(addressOf(review));
  for (const email of ["anna@example.test", "first@example.test"]) await openReceiptsOf(email);
  const { items, next } = await findReports((await caseOf(review))._id, null);
  expect(items.map(({ earlier }) => earlier)).toEqual([
    { total: 4, takenDown: 2 },
    { total: 1, takenDown: 1 },
    { total: 0, takenDown: 0 },
    null,
  ]);
  expect(next).toBeNull();
});
