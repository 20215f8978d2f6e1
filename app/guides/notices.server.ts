import { isolated } from "~/infra/text";
import type { Completed, Undone } from "~/guides/departures/completions.server";

const explorers = (count: number) =>
  count === 1 ? "One explorer" : `${count.toLocaleString("en-GB")} explorers`;

export function completedNotice({ tour, completed, absent, reviewers }: Completed): string {
  if (completed + absent === 0) return "This departure was already completed. Nothing was changed.";
  const reviewing =
    reviewers === 0
      ? "No new explorers can review it"
      : `${explorers(reviewers)} can now review it`;
  const missing = absent === 0 ? "" : ` ${explorers(absent)} did not come.`;
  return `${isolated(tour.title)} is marked as completed. ${reviewing}.${missing}`;
}

export function undoneNotice({ tour, isFirst, isDueSoon }: Undone): string {
  if (!isFirst) return "This was already undone.";
  const automatically = isDueSoon
    ? " If you don’t mark it again within an hour, we do it automatically."
    : "";
  return `${isolated(tour.title)} is to be completed again.${automatically}`;
}
