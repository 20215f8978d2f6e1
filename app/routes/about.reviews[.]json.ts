import { withoutPage } from "~/server/pages.server";
import { getFigures } from "~/moderation/figures/figures.server";

export const loader = withoutPage(async () =>
  Response.json(await getFigures(), {
    headers: { "Cache-Control": "public, max-age=3600" },
  }),
);
