import type { LoaderFunctionArgs } from "@remix-run/node";

/** Where http.server.ts sends what it refuses, for the page of that error in the site's look. */
export function loader({ params }: LoaderFunctionArgs): never {
  const status = Number(params.status);
  throw new Response(null, {
    status: [400, 403, 405, 413, 503].includes(status) ? status : 404,
  });
}

export default function Refused() {
  return null;
}
