import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireDevMailbox } from "~/server/dev-mailbox-page.server";
import { withoutPage } from "~/server/pages.server";
import { findCapturedMail } from "~/mail/dev-mailbox.server";

/** One captured e-mail's HTML, as a mail program would show it: inline styles, no script. */
export const loader = withoutPage(async ({ request, params }: LoaderFunctionArgs) => {
  await requireDevMailbox(request);
  const mail = await findCapturedMail(params.id ?? "");
  if (!mail) throw new Response(null, { status: 404 });
  return new Response(mail.html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy":
        "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    },
  });
});
