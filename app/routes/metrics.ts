import { answerMetrics } from "~/server/guard/http-metrics.server";

export const loader = () => answerMetrics();
