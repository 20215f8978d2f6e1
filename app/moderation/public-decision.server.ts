import type { CaseDecision, ItemKind } from "#models/case";
import { actionInWords } from "~/ui/labels";

export type PublicDecision = ReturnType<typeof toPublicDecision>;

/** Returns a decision as pages show it, without who made it. */
export const toPublicDecision = (
  { _id, operatorId: _, ...decision }: CaseDecision,
  kind: ItemKind,
) => ({
  ...decision,
  id: _id.toString(),
  done: actionInWords(decision.action, kind),
});
