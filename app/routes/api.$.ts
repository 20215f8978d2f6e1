import { json, resourceRoute } from "~/http/api-route.server";

export const { loader, action } = resourceRoute(() =>
  Promise.resolve(json({ error: "Not found" }, { status: 404 })),
);
