import { answerMetrics } from "~/http/metrics.server";

/** For Prometheus. */
export const loader = () => answerMetrics();
