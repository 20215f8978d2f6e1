import type { OperationReference } from "./reference.server";

// Parts of the page /api.

export function OperationSection({ operation }: { operation: OperationReference }) {
  const { id, method, path, summary, description, token, parameters, body } = operation;
  return (
    <section id={id} className="stack" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{summary}</h3>
      <div className="api-operation stack">
        <div className="stack">
          <p>
            <code>{`${method} ${path}`}</code>
          </p>
          <p>
            <Prose text={token ? `${description} Needs ${token}.` : description} />
          </p>
          {parameters.length > 0 && <Fields title="Parameters" fields={parameters} />}
          {body.length > 0 && <Fields title="Body" fields={body} />}
          <details>
            <summary>Refusals</summary>
            <ul className="stack">
              {operation.refusals.map(({ status, description, errors }) => (
                <li key={status}>
                  <span>
                    <Prose text={`${status}: ${description}`} />
                  </span>
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
        </div>
        <div className="stack">
          <Code copied={`the example: ${summary}`}>{operation.example}</Code>
          <Code label={`Answer: ${operation.status}`}>{operation.answer}</Code>
        </div>
      </div>
    </section>
  );
}

/** A description, in which names between backticks are code, as in Markdown. */
const Prose = ({ text }: { text: string }) =>
  text.split("`").map((part, n) => (n % 2 ? <code key={n}>{part}</code> : part));

export function Fields({ title, fields }: { title?: string; fields: OperationReference["body"] }) {
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
              {description && (
                <p>
                  <Prose text={description} />
                </p>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface CodeProps {
  label?: string;
  /** Names the code where scripts copy it (app/ui/browser/copied-examples.ts). */
  copied?: string;
  children: string;
}

export function Code({ label, copied, children }: CodeProps) {
  return (
    <figure>
      {label && <figcaption className="small muted">{label}</figcaption>}
      <pre tabIndex={0} translate="no">
        <code>{children}</code>
      </pre>
      {copied && (
        <p className="copy row">
          <button type="button" className="button button-quiet button-small" data-copy="">
            Copy
            <span className="visually-hidden">{` ${copied}`}</span>
          </button>
          <span role="status" />
        </p>
      )}
    </figure>
  );
}
