import { Link, useSearchParams } from "@remix-run/react";
import { MINUTE_MS } from "~/lib/durations";
import { SEARCHED_CASES } from "~/moderation/labels";
import { GROUND_TEXTS } from "~/ui/grounds";
import { CursorLinks } from "~/ui/page-links";
import { OPERATOR_PATH, operatorCasePath, operatorSanctionPath } from "~/ui/paths";
import { Section } from "~/ui/section";
import { ReviewStars } from "~/ui/stars";
import { hoursInWords, Time } from "~/ui/time";
import type { WaitingCases } from "./cases.server";
import type { ListedSanction } from "./sanctions/sanctions.server";

/** The lists of cases, each at its address. */
export function QueueTabs({ isDecided }: { isDecided: boolean }) {
  return (
    <nav aria-label="Cases" className="chips">
      <Link to={OPERATOR_PATH} aria-current={isDecided ? undefined : "page"}>
        Waiting
      </Link>
      <Link to={`${OPERATOR_PATH}?tab=decided`} aria-current={isDecided ? "page" : undefined}>
        Decided
      </Link>
    </nav>
  );
}

/** The search of what was decided. */
export function DecidedSearch() {
  const [shown] = useSearchParams();
  const words = shown.get("q") ?? "";
  return (
    <form action={OPERATOR_PATH} className="search" role="search" key={words}>
      <input type="hidden" name="tab" value="decided" />
      <div className="field">
        <label htmlFor="decided-q">Search decided cases</label>
        <p className="hint" id="decided-q-hint">
          {`By tour, author or words of the text, in the newest ${SEARCHED_CASES}.`}
        </p>
        <input
          id="decided-q"
          name="q"
          type="search"
          defaultValue={words}
          maxLength={100}
          aria-describedby="decided-q-hint"
        />
      </div>
      <button type="submit" className="button button-quiet">
        Search
      </button>
      {words && <Link to={`${OPERATOR_PATH}?tab=decided`}>Show all</Link>}
    </form>
  );
}

interface Props extends WaitingCases {
  now: string;
  none: string;
}

/** A page of cases: those that wait for an operator, or that are decided. */
export function Queue({ items, next, now, none }: Props) {
  const waits = (since: Date) =>
    hoursInWords((new Date(now).getTime() - new Date(since).getTime()) / MINUTE_MS);
  return (
    <>
      {items.length === 0 ? (
        <p className="empty">{none}</p>
      ) : (
        <ul className="plain-list card">
          {items.map(({ id, kind, state, isUrgent, reasons, reports, since, ...one }) => (
            <li key={id} className="stack">
              <h2 className="h3">
                <Link to={operatorCasePath(id)}>
                  <span>{kind === "review" ? "A review of " : "A reply about "}</span>
                  <bdi>{one.tourTitle}</bdi>
                </Link>
              </h2>
              <p className="row">
                {kind === "review" && <ReviewStars rating={one.rating} />}
                <span>
                  {"by "}
                  <bdi translate="no">{one.author || "a former user"}</bdi>
                </span>
                {isUrgent && <strong className="badge badge-danger">Danger to life</strong>}
                {state === "appealed" && <strong className="badge badge-quiet">Appeal</strong>}
              </p>
              {one.beginning !== null && (
                <p dir="auto">
                  <bdi>{one.beginning}</bdi>
                </p>
              )}
              <p className="muted small">
                <span>{reports === 1 ? "1 report" : `${reports} reports`}</span>
                <span>{`: ${reasons.map((reason) => GROUND_TEXTS[reason].label).join(", ")}. `}</span>
                {state === "decided" ? (
                  <span key="decided">
                    <span>{`${one.done} Decided on `}</span>
                    <Time at={since} form="moment" />
                  </span>
                ) : (
                  <span key="waits">{`Waits ${waits(since)}.`}</span>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
      <CursorLinks param="after" next={next} hash="waiting" newest="First page" older="Next page" />
    </>
  );
}

export function WaitingSanctions({ appeals }: { appeals: ListedSanction[] }) {
  if (appeals.length === 0) return null;
  return (
    <Section id="appeals" title="Appeals against warnings and suspensions">
      <ul className="plain-list card">
        {appeals.map(({ id, name, subject, appeal }) => (
          <li key={id}>
            <h3>
              <Link to={operatorSanctionPath(id)}>
                <span>{`${name}: `}</span>
                <bdi translate="no">{subject || "somebody without an account"}</bdi>
              </Link>
            </h3>
            {appeal && (
              <p className="muted small">
                {"Since "}
                <Time at={appeal.at} form="moment" />
              </p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
