import { env } from "~/config/env.server";
import { processJob } from "~/jobs/job.server";
import { WebhookWorker } from "./worker.server";

/** One worker for each address. */
export const webhooks = processJob(() => {
  const { webhookUrls, webhookSecrets: secrets } = env();
  const workers = webhookUrls.map((url) => new WebhookWorker(url, { secrets }));
  return {
    start: () => workers.forEach((worker) => worker.start()),
    wake: () => workers.forEach((worker) => worker.wake()),
    stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))),
  };
});
