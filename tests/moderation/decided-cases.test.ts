import { expect, it } from "vitest";
import { decidedCases, waitingCases } from "~/moderation/cases.server";
import { useDatabase } from "../support/database";
import { addressOf, caseOf, decideAs, makeCaseScene, report } from "../support/cases";

// The lists of cases at /operator (docs/rules/moderation.md, Decisions).

useDatabase();

it("a case that waits says what is about, whose it is, and how it begins; a decided one what was done", async () => {
  const { review, operator } = await makeCaseScene();
  await report(addressOf(review));
  const listed = {
    ...{ kind: "review", rating: 1, author: "Ann Author", tourTitle: "Harbour at Dawn" },
    beginning: "Call him at 555-0100.",
  };
  expect((await waitingCases()).items).toMatchObject([{ ...listed, done: null }]);
  expect((await decidedCases("")).items).toEqual([]);
  await decideAs(operator, await caseOf(review), { action: "keep" });
  expect((await waitingCases()).items).toEqual([]);
  expect((await decidedCases("")).items).toMatchObject([
    { ...listed, done: "The review stays as it is." },
  ]);
  for (const words of ["harbour", "  ANN ", "áuthor", "555-0100"])
    expect((await decidedCases(words)).items, words).toHaveLength(1);
  expect((await decidedCases("sunset")).items).toEqual([]);
});
