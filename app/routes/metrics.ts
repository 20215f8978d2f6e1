import { answerMetrics } from "~/http/metrics.server";

export const loader = () => answerMetrics();
