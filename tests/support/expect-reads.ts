import { expect } from "vitest";
import { explain, explains, fieldsOf, type Sent } from "./explain";

/**
 * None reads a collection, and each reads at most so many documents, an aggregation `aggregated`. None has an operator
 * beside its fields, for which the embedded database reads all.
 */
export async function expectReads(
  sent: Sent[],
  documents: number,
  { aggregated = documents } = {},
): Promise<void> {
  expect(sent).not.toEqual([]);
  const operators = (one: Sent) => fieldsOf(one).some((field) => field.startsWith("$"));
  expect(sent.filter(operators)).toEqual([]);
  if (!(await explains())) return;
  for (const one of sent) {
    const plan = await explain(one);
    const what = JSON.stringify(one.command);
    expect(plan.stages, what).not.toContain("COLLSCAN");
    const most = one.name === "aggregate" ? aggregated : documents;
    expect(plan.documents, what).toBeLessThanOrEqual(most);
  }
}
