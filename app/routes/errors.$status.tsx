import type { LoaderFunctionArgs } from "@remix-run/node";
import { unavailable } from "~/server/pages.server";

export { headers } from "~/server/retry-after.server";

/** The page of an error in the site's look, for what the guard refuses (app/server/guard/guard.server.ts). */
export function loader({ params }: LoaderFunctionArgs): never {
  const status = Number(params.status);
  if (status === 503) throw unavailable();
  throw new Response(null, { status: [400, 403, 405, 413].includes(status) ? status : 404 });
}

export default function Refused() {
  return null;
}
