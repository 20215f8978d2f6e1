import { createReadableStreamFromReadable, type LoaderFunctionArgs } from "@remix-run/node";
import { openPicture } from "~/db/pictures.server";
import { strongETag } from "~/lib/digest.server";
import { PICTURE_POLICY } from "~/server/machine-files.server";
import { withoutPage } from "~/server/pages.server";
import { matchesETag } from "~/server/review-form.server";

export const loader = withoutPage(async ({ params, request }: LoaderFunctionArgs) => {
  const [, name] = /^([0-9a-f]{32}-\d{3,4})\.webp$/.exec(params.name ?? "") ?? [];
  const picture = name ? await openPicture(name) : null;
  if (!name || !picture) throw new Response(null, { status: 404 });
  const headers = {
    "Content-Type": "image/webp",
    // Another picture has another address.
    "Cache-Control": "public, max-age=31536000, immutable",
    ETag: strongETag(name),
    "Content-Security-Policy": PICTURE_POLICY,
  };
  const unchanged = matchesETag(request.headers.get("If-None-Match"), headers.ETag);
  if (!unchanged && request.method === "GET")
    return new Response(createReadableStreamFromReadable(picture), { headers });
  picture.destroy();
  return new Response(null, { status: unchanged ? 304 : 200, headers });
});
