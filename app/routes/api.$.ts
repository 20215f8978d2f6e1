import { json } from "~/http/api-route.server";

const notFound = () => json({ error: "Not found" }, { status: 404 });

export const loader = notFound;
export const action = notFound;
