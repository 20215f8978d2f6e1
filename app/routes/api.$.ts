import { type ApiLoader, json } from "~/http/api-route.server";

export const loader: ApiLoader = () =>
  Promise.resolve(json({ error: "Not found" }, { status: 404 }));
