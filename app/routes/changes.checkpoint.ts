import { withoutPage } from "~/server/pages.server";
import { getCheckpoint } from "~/reviews/signed-texts.server";

export const loader = withoutPage(
  async () =>
    new Response(await getCheckpoint(), {
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-cache" },
    }),
);
