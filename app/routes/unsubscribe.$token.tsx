import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useParams } from "@remix-run/react";
import { REPLY_MAILS_IN_WORDS, REQUEST_MAILS_IN_WORDS } from "~/accounts/mail-choices";
import { SubmitButton } from "~/ui/forms";
import { clientAddress } from "~/server/current-user.server";
import { withLinkPage } from "~/server/pages.server";
import { getSubscription, unsubscribe, type Subscription } from "~/mail/mail-settings.server";
import { unlisted } from "~/ui/site";

export { headers } from "~/server/retry-after.server";

const TITLES = {
  reviews: "E-mails about your tours",
  replies: "E-mails about replies",
  requests: "E-mails that ask for reviews",
};

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  unlisted(TITLES[data?.about ?? "reviews"]);

const GONE =
  "The address may be incomplete: open the whole link from our e-mail. If the account has been deleted, it gets no e-mails. Otherwise you can choose them on your account’s page.";

export async function loader({ params }: LoaderFunctionArgs) {
  return withLinkPage(getSubscription(params.token ?? ""), GONE);
}

/** Takes what mail programs send (RFC 8058); the page's own form sends the same. */
export async function action({ request, params }: ActionFunctionArgs) {
  const form = await request.formData();
  if (form.get("List-Unsubscribe") !== "One-Click") throw new Response(null, { status: 400 });
  await withLinkPage(unsubscribe(params.token ?? "", clientAddress()), GONE);
  return { unsubscribed: true };
}

const PRESENT: Record<Subscription["about"], Partial<Record<Subscription["mails"], string>>> = {
  reviews: {
    each: "You get an e-mail about each new review of your tours.",
    daily: "You get one e-mail a day about the new reviews of your tours.",
    none: "You get no e-mails about new reviews of your tours.",
  },
  replies: REPLY_MAILS_IN_WORDS,
  requests: REQUEST_MAILS_IN_WORDS,
};

export default function Unsubscribe() {
  const { about, mails } = useLoaderData<typeof loader>();
  const { token } = useParams();
  const done = useActionData<typeof action>();
  const formAction = `/unsubscribe/${token}`;
  return (
    <div className="narrow stack">
      <h1>{TITLES[about]}</h1>
      {done && (
        <p className="note" role="status">
          You are unsubscribed.
        </p>
      )}
      <p className="lead">{PRESENT[about][mails]}</p>
      {mails !== "none" && (
        <Form method="post" action={formAction}>
          <input type="hidden" name="List-Unsubscribe" value="One-Click" />
          <SubmitButton action={formAction}>Stop these e-mails</SubmitButton>
        </Form>
      )}
      {about === "reviews" ? (
        <p key="reviews">
          An e-mail for each review, one a day, or none:{" "}
          <Link to="/guide/mail">choose in your e-mail settings</Link> (log-in required).
        </p>
      ) : (
        <p key={about}>
          You can change this on <Link to={`/me/account#${about}`}>your account’s page</Link>{" "}
          (log-in required).
        </p>
      )}
    </div>
  );
}
