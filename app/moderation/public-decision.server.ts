import type { CaseDecision, ItemKind } from "#models/case";
import { actionInWords } from "~/ui/labels";

/** A decision as pages show it, without who made it. */
export interface PublicDecision extends Omit<CaseDecision, "_id" | "at" | "operatorId"> {
  id: string;
  /** ISO 8601, UTC. */
  at: string;
  /** What was done, in words. */
  done: string;
}

/** Returns a decision about a review or a reply as pages show it. */
export const toPublicDecision = (
  { _id, at, operatorId: _, ...decision }: CaseDecision,
  kind: ItemKind,
): PublicDecision => ({
  ...decision,
  id: _id.toString(),
  at: at.toISOString(),
  done: actionInWords(decision.action, kind),
});
