import type { MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { requireKeptMails } from "~/server/pages.server";
import { listKeptMails } from "~/services/notifications.server";

export const meta: MetaFunction = () => [{ title: "Kept e-mails · Tour Reviews" }];

export async function loader() {
  requireKeptMails();
  return { mails: await listKeptMails() };
}

export default function KeptMails() {
  const { mails } = useLoaderData<typeof loader>();
  return (
    <>
      <h1>Kept e-mails</h1>
      <p>
        There is no <code>SENDGRID_API_KEY</code>, so e-mails are kept here instead of being sent.
      </p>
      {mails.length === 0 && <p>None yet: post a review.</p>}
      <ul className="reviews">
        {mails.map((mail) => (
          <li key={mail.id} className="card">
            <h2>
              <Link to={`/dev/mail/${mail.id}`} reloadDocument>
                {mail.subject}
              </Link>
            </h2>
            <p className="muted">
              To {mail.to}, <time dateTime={mail.createdAt}>{mail.createdAt}</time>
            </p>
            <pre className="comment">{mail.text}</pre>
          </li>
        ))}
      </ul>
    </>
  );
}
