import type { LoaderFunctionArgs } from "@remix-run/node";

/** The page of an error in the site's look, for what the guard refuses (app/server/guard/guard.server.ts). */
export function loader({ params }: LoaderFunctionArgs): never {
  const status = Number(params.status);
  throw new Response(null, {
    status: [400, 403, 405, 413, 503].includes(status) ? status : 404,
  });
}

export default function Refused() {
  return null;
}
