import type { CaseDecision } from "../../../models/case";

/** A decision as pages show it, without who made it. */
export interface StatedDecision extends Omit<CaseDecision, "_id" | "at" | "operatorId"> {
  id: string;
  /** ISO 8601, UTC. */
  at: string;
}

export const toStated = ({
  _id,
  at,
  operatorId: _,
  ...decision
}: CaseDecision): StatedDecision => ({
  ...decision,
  id: _id.toString(),
  at: at.toISOString(),
});
