import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { Time } from "~/ui/time";
import { requireDevMailbox } from "~/server/dev-mailbox-page.server";
import { findCapturedMail, listDevMailbox } from "~/mail/dev-mailbox.server";
import { titled } from "~/ui/site";

export const meta: MetaFunction = () => [titled("Captured e-mails")];

export async function loader({ request }: LoaderFunctionArgs) {
  await requireDevMailbox(request);
  const mails = await listDevMailbox();
  const wanted = new URL(request.url).searchParams.get("mail");
  const shown = wanted && (await findCapturedMail(wanted));
  return {
    mails: mails.map(({ id, to, subject, capturedAt }) => ({ id, to, subject, capturedAt })),
    shown: shown ? { id: shown.id, subject: shown.subject, text: shown.text } : null,
  };
}

export default function DevMailbox() {
  const { mails, shown } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <div className="stack">
        <h1>Captured e-mails</h1>
        <p className="lead">
          There is no <code translate="no">SENDGRID_API_KEY</code>, so e-mails are captured here
          instead of being sent.
        </p>
      </div>
      {mails.length === 0 && <p className="empty">There are none yet. Post a review to see one.</p>}
      <ul className="plain-list">
        {mails.map((mail) => (
          <li key={mail.id}>
            <Link
              to={`/dev/mail?mail=${mail.id}#preview`}
              aria-current={mail.id === shown?.id ? "true" : undefined}
            >
              <bdi>{mail.subject}</bdi>
            </Link>
            <p className="muted small">
              To <bdi translate="no">{mail.to}</bdi>, <Time at={mail.capturedAt} form="moment" />
            </p>
          </li>
        ))}
      </ul>
      {shown && (
        <section className="stack" aria-labelledby="preview">
          <h2 id="preview">
            <bdi>{shown.subject}</bdi>
          </h2>
          <h3>HTML</h3>
          <iframe
            // A new frame for each e-mail: in a reused one, going back would only change the frame.
            key={shown.id}
            className="mail-preview"
            src={`/dev/mail/${shown.id}`}
            title={`HTML of: ${shown.subject}`}
            sandbox="allow-popups allow-popups-to-escape-sandbox"
          />
          <p className="small">
            <a href={`/dev/mail/${shown.id}`}>Open it on its own page</a>
          </p>
          <h3>Text</h3>
          <pre className="card mail-text" dir="auto">
            {shown.text}
          </pre>
        </section>
      )}
    </div>
  );
}
