import { useLoaderData } from "@remix-run/react";
import { env } from "~/config/env.server";
import { Code, Fields, OperationSection } from "~/server/openapi/operation";
import { apiReference, type Reference } from "~/server/openapi/reference.server";
import { publicMeta } from "~/ui/meta.server";

export function loader() {
  const { appUrl } = env();
  const meta = publicMeta({
    title: "API",
    description: "Read and write reviews of tours by programs: every request, with an example.",
    url: `${appUrl}/api`,
  });
  return { meta, appUrl, reference: apiReference() };
}

export { loadedMeta as meta } from "~/ui/site";

export const handle = { hydrate: false };

export default function Api() {
  const { appUrl, reference } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l api">
      <div className="stack">
        <h1>API</h1>
        <p className="lead">Read and write reviews from your own programs. JSON in, JSON out.</p>
      </div>
      <div className="with-contents">
        <Contents reference={reference} />
        <div className="stack-l">
          <div className="stack">
            <p>
              Also as <a href="/api/openapi.json">OpenAPI 3.1</a>. An error is always{" "}
              <code>{'{ "error": "…" }'}</code>: 401 no valid token, 405 wrong method, 413 body over
              64 KiB, 429 more than 600 changes a minute, 500 our fault, and the refusals below.
            </p>
            <Code copied="the variables">
              {`BASE=${appUrl}\nTOKEN=…    # made on ${appUrl}/me/account, for one user\nSERVICE=…  # npm run token -- --service, for the platform's own programs`}
            </Code>
          </div>
          {reference.sections.map(({ name, operations }) => (
            <section key={name} className="stack-l">
              <h2>{name}</h2>
              {operations.map((operation) => (
                <OperationSection key={operation.id} operation={operation} />
              ))}
            </section>
          ))}
          <section className="stack-l">
            <h2>Objects</h2>
            {reference.objects.map(({ name, fields }) => (
              <section key={name} className="stack" id={name}>
                <h3>{name}</h3>
                <Fields fields={fields} />
              </section>
            ))}
          </section>
        </div>
      </div>
    </div>
  );
}

const Contents = ({ reference }: { reference: Reference }) => (
  <nav className="contents" aria-label="Requests">
    {reference.sections.map(({ name, operations }) => (
      <div key={name}>
        <p>{name}</p>
        <ul>
          {operations.map(({ id, summary }) => (
            <li key={id}>
              <a href={`#${id}`}>{summary}</a>
            </li>
          ))}
        </ul>
      </div>
    ))}
    <p>Objects</p>
    <ul>
      {reference.objects.map(({ name }) => (
        <li key={name}>
          <a href={`#${name}`}>{name}</a>
        </li>
      ))}
    </ul>
  </nav>
);
