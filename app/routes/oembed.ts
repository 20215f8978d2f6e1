import type { LoaderFunctionArgs } from "@remix-run/node";
import { sharedFile } from "~/server/machine-files.server";
import { withErrorPage, withoutPage } from "~/server/pages.server";
import { getOEmbed } from "~/tours/embeds/oembed.server";

export const loader = withoutPage(async ({ request }: LoaderFunctionArgs) => {
  const { searchParams } = new URL(request.url);
  // As https://oembed.com says for a format that there is not.
  if ((searchParams.get("format") ?? "json") !== "json") throw new Response(null, { status: 501 });
  const most = (name: string) =>
    Number(/^[1-9]\d{0,4}$/.exec(searchParams.get(name) ?? "")?.[0]) || Infinity;
  const asked = {
    maxWidth: most("maxwidth"),
    maxHeight: most("maxheight"),
  };
  const found = await withErrorPage(getOEmbed(searchParams.get("url") ?? "", asked));
  return sharedFile(request, JSON.stringify(found), "application/json");
});
