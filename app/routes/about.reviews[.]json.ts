import { withoutPage } from "~/server/pages.server";
import { FIGURES_KEPT_MS, getFigures } from "~/moderation/figures/figures.server";

export const loader = withoutPage(async () =>
  Response.json(await getFigures(), {
    headers: { "Cache-Control": `public, max-age=${FIGURES_KEPT_MS / 1_000}` },
  }),
);
