import { env } from "~/config/env.server";
import { WebhookWorker } from "./worker.server";

let workers: WebhookWorker[] = [];

export function startWebhooks(): void {
  const { webhookUrls, webhookSecrets: secrets } = env();
  workers = webhookUrls.map((url) => new WebhookWorker(url, { secrets }));
  for (const worker of workers) worker.start();
}

export async function stopWebhooks(): Promise<void> {
  await Promise.all(workers.map((worker) => worker.stop()));
}

/** Not only at the workers' next turn. */
export function wakeWebhooks(): void {
  for (const worker of workers) worker.wake();
}
