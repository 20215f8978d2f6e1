import { apiRoute, json } from "~/server/api-route.server";

/** For a supervisor that replaces processes: this one lives, whatever the database does. */
export const { loader, action, answer } = apiRoute(
  { GET: { failure: "unavailable" } },
  { GET: () => Promise.resolve(json({ status: "ok" })) },
);
