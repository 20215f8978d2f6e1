import { json, resourceRoute } from "~/server/api-route.server";

export const { loader, action, answer } = resourceRoute(() =>
  Promise.resolve(json({ error: "Not found" }, { status: 404 })),
);
