import type { LoaderFunctionArgs } from "@remix-run/node";
import { guidePath, tourPath } from "~/ui/paths";
import { notYet, toSitemap } from "~/server/machine-files.server";
import { withoutPage } from "~/server/pages.server";
import { sitemapPart } from "~/tours/sitemap.server";

/** Pages that belong to no tour and no guide. */
const PAGES = ["/", "/about/reviews"];

export const loader = withoutPage(async ({ params }: LoaderFunctionArgs) => {
  const number = Number(/^([1-9]\d{0,3})\.xml$/.exec(params.part ?? "")?.[1]);
  const part = number ? await sitemapPart(number) : undefined;
  if (part === null) return notYet();
  if (!part) throw new Response(null, { status: 404 });
  return toSitemap([
    ...(number === 1 ? PAGES : []),
    ...part.slugs.map((slug) => tourPath(slug)),
    ...part.guides.flatMap((id) => guidePath(id) ?? []),
  ]);
});
