import { completions } from "~/guides/departures/departures.server";
import type { Job } from "~/jobs/job.server";
import { notifications } from "~/mail/delivery.server";
import { reporterMails } from "~/moderation/notify-reporters.server";
import { deletions } from "~/personal-data/deletion-worker.server";
import { reviewRequests } from "~/requests/worker.server";
import { webhooks } from "~/reviews/webhooks/sender.server";
import { reviewIndexes } from "~/reviews/words/index-refresh.server";
import { tourRefresh } from "~/search/tour-refresh.server";

/** Everything that a server process does in the background. */
const JOBS: Pick<Job, "start" | "stop">[] = [
  notifications,
  webhooks,
  completions,
  deletions,
  reporterMails,
  reviewRequests,
  tourRefresh,
  reviewIndexes,
];

export function startJobs(): void {
  for (const job of JOBS) job.start();
}

export async function stopJobs(): Promise<void> {
  await Promise.all(JOBS.map((job) => job.stop()));
}
