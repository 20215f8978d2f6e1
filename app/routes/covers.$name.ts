import type { LoaderFunctionArgs } from "@remix-run/node";
import { drawCover } from "~/components/covers/cover-drawing.server";

/** A cover that is drawn for us, by its name with `.svg`. */
export function loader({ params }: LoaderFunctionArgs) {
  const drawing = drawCover(/^(.+)\.svg$/.exec(params.name ?? "")?.[1] ?? "");
  if (!drawing) throw new Response(null, { status: 404 });
  return new Response(drawing, {
    headers: {
      "Content-Type": "image/svg+xml",
      // A day: another version of this app may draw it in another way.
      "Cache-Control": "public, max-age=86400",
    },
  });
}
