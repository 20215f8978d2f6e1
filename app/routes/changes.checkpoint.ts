import { checkpointsByNetwork } from "~/reviews/checkpoints/limits.server";
import { getCheckpoint } from "~/reviews/checkpoints/checkpoint.server";
import { clientAddress } from "~/server/current-user.server";
import { withErrorPage, withoutPage } from "~/server/pages.server";

export const loader = withoutPage(async () => {
  await withErrorPage(checkpointsByNetwork.consume(clientAddress()));
  return new Response(await getCheckpoint(), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-cache" },
  });
});
