import { Form } from "@remix-run/react";
import { Time } from "~/ui/time";
import type { SessionInfo } from "./sessions.server";

/** The values of the field `intent` in the forms of the page of log-ins. */
export const INTENTS = ["end", "end-others"] as const;
export type Intent = (typeof INTENTS)[number];

export function SessionRow({ id, browser, createdAt, lastUsedAt, present }: SessionInfo) {
  return (
    <li className="row spread">
      <div>
        <p className="row">
          <strong>
            {browser ? (
              <bdi translate="no">{browser}</bdi>
            ) : (
              <span key="unknown">Unknown browser</span>
            )}
          </strong>
          {present && <span className="badge">This device</span>}
        </p>
        <p className="muted small" id={`facts-${id}`}>
          {createdAt && (
            <span>
              Logged in on <Time at={createdAt} form="moment" />
              <br />
            </span>
          )}
          {lastUsedAt ? (
            <span>
              Last used on <Time at={lastUsedAt} form="moment" />
            </span>
          ) : (
            <span key="never">Not used recently</span>
          )}
        </p>
      </div>
      {!present && (
        <Form method="post">
          <input type="hidden" name="session" value={id} />
          <button
            type="submit"
            name="intent"
            value={"end" satisfies Intent}
            className="button button-quiet button-small"
            // Two log-ins may have the same name.
            aria-describedby={`facts-${id}`}
          >
            Log out
            <span className="visually-hidden">
              {" of "}
              <span>{browser ? <bdi translate="no">{browser}</bdi> : "an unknown browser"}</span>
            </span>
          </button>
        </Form>
      )}
    </li>
  );
}
