import { texts } from "~/lib/refusal-texts";
import { json, resourceRoute } from "~/server/api-route.server";

export const { loader, action, answer } = resourceRoute(() =>
  Promise.resolve(json({ error: texts.notFound }, { status: 404 })),
);
