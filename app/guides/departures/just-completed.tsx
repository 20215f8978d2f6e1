import { Form } from "@remix-run/react";
import { SubmitButton } from "~/ui/forms";
import { Time } from "~/ui/time";
import type { Intent } from "~/guides/guide-intents";
import { DepartureHead, namedByHead } from "./departures";
import type { RecentCompletion } from "./completions.server";

export function JustCompleted({
  completions,
  now,
}: {
  completions: RecentCompletion[];
  now: string;
}) {
  if (completions.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="just-completed">
      <h2 id="just-completed">Just completed</h2>
      <ul className="tours">
        {completions.map(({ id, undoUntil, ...departure }) => (
          <li key={id} className="card stack">
            <DepartureHead id={id} {...departure} />
            <p className="hint">
              Something is wrong? You can undo this until{" "}
              <Time at={undoUntil} now={now} zone={departure.tour.timeZone} form="deadline" />.
              Reviews that were written meanwhile stay.
            </p>
            <Form method="post" action="/guide">
              <input type="hidden" name="intent" value={"undo" satisfies Intent} />
              <SubmitButton
                action="/guide"
                className="button-quiet"
                name="completion"
                value={id}
                {...namedByHead(id)}
              >
                Undo
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}
