import { useLoaderData } from "@remix-run/react";
import { env } from "~/config/env.server";
import {
  apiReference,
  type OperationReference,
  type Reference,
} from "~/server/openapi/reference.server";
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

export default function Api() {
  const { appUrl, reference } = useLoaderData<typeof loader>();
  return (
    <div className="narrow stack-l api">
      <div className="stack">
        <h1>API</h1>
        <p className="lead">Read and write reviews from your own programs. JSON in, JSON out.</p>
        <p>
          Also as <a href="/api/openapi.json">OpenAPI 3.1</a>. An error is always{" "}
          <code>{'{ "error": "…" }'}</code>: 401 no valid token, 405 wrong method, 413 body over 64
          KiB, 429 more than 600 changes a minute, 500 our fault, and the refusals below.
        </p>
        <Code>
          {`BASE=${appUrl}\nTOKEN=…    # made on ${appUrl}/me/account, for one user\nSERVICE=…  # npm run token -- --service, for the platform's own programs`}
        </Code>
      </div>
      <Contents reference={reference} />
      {reference.sections.map(({ name, operations }) => (
        <section key={name} className="stack-l">
          <h2>{name}</h2>
          {operations.map((operation) => (
            <Operation key={operation.id} operation={operation} />
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
  );
}

function Contents({ reference }: { reference: Reference }) {
  return (
    <nav aria-label="Requests">
      <ul className="api-contents">
        {reference.sections.flatMap(({ operations }) =>
          operations.map(({ id, method, path, summary }) => (
            <li key={id}>
              <a href={`#${id}`}>{summary}</a> <code className="muted">{`${method} ${path}`}</code>
            </li>
          )),
        )}
      </ul>
    </nav>
  );
}

function Operation({ operation }: { operation: OperationReference }) {
  const { id, method, path, summary, description, token, parameters, body } = operation;
  return (
    <section id={id} className="stack" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{summary}</h3>
      <p>
        <code>{`${method} ${path}`}</code>
      </p>
      <p>{token ? `${description} Needs ${token}.` : description}</p>
      {parameters.length > 0 && <Fields title="Parameters" fields={parameters} />}
      {body.length > 0 && <Fields title="Body" fields={body} />}
      <Code>{operation.example}</Code>
      <Code label={`Answer: ${operation.status}`}>{operation.answer}</Code>
      <details>
        <summary>Refusals</summary>
        <ul className="stack">
          {operation.refusals.map(({ status, description, errors }) => (
            <li key={status}>
              <span>{`${status}: ${description}`}</span>
              {errors.length > 0 && (
                <ul>
                  {errors.map((error) => (
                    <li key={error}>
                      <code>{error}</code>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function Fields({ title, fields }: { title?: string; fields: OperationReference["body"] }) {
  return (
    <div>
      {title && <h4>{title}</h4>}
      <dl className="api-fields">
        {fields.map(({ name, type, required, description }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <span className="muted">{required ? `${type}, required` : type}</span>
              {description && <p>{description}</p>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Code({ label, children }: { label?: string; children: string }) {
  return (
    <figure translate="no">
      {label && <figcaption className="small muted">{label}</figcaption>}
      <pre tabIndex={0}>
        <code>{children}</code>
      </pre>
    </figure>
  );
}
