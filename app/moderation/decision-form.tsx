import { Form, Link } from "@remix-run/react";
import { useState } from "react";
import { type Action } from "~/moderation/labels";
import { type Ground, GROUND_TEXTS } from "~/ui/grounds";
import { Field, type Option, SelectField, SubmitButton } from "~/ui/forms";
import { operatorCasePath } from "~/ui/paths";
import { Section } from "~/ui/section";
import type { OperatorCase } from "./cases.server";
import {
  type DecisionChoice,
  readersSee,
  stateAfter,
  STEP,
  DecisionSummary,
  SUMMARY,
} from "./decision-summary";
import { WordsField } from "./fields";

const LABELS: Record<Action, (found: OperatorCase) => string> = {
  keep: ({ kind, state, item, decisions }) =>
    // Words that its author has written since are no longer what was decided about.
    state === "appealed" && !(item?.state === "shown" && decisions.at(-1)?.action === "redact")
      ? "Uphold the decision"
      : `Keep the ${kind} as it is`,
  redact: () => "Remove the words: they are unlawful, and the rating is genuine",
  remove: ({ kind }) =>
    kind === "review"
      ? "Remove the review: it is not genuine, or wholly unlawful"
      : "Remove the reply",
  restore: ({ kind }) => `Show the ${kind} again as it was`,
};

/** Returns the choices with what there is now: what is shown afterwards is allowed, what is not has another ground. */
const choicesFor = (found: OperatorCase): DecisionChoice[] =>
  found.actions.flatMap((action): DecisionChoice[] => {
    const label = LABELS[action](found);
    const state = stateAfter(action, found.item);
    if (state === "shown" || state === "gone")
      return [{ id: action, label, action, ground: "allowed" }];
    const ordered = `${label.replace(/:.*/, "")}, by order of an authority`;
    return [
      { id: action, label, action, ground: null },
      { id: `${action}-order`, label: ordered, action, ground: "order" },
    ];
  });

const NAMED_GROUNDS = Object.entries(GROUND_TEXTS)
  .filter(([ground]) => ground !== "allowed" && ground !== "order")
  .map(([ground, { label }]): Option => [ground, label]);

interface Props {
  found: OperatorCase;
  /** The chosen decision, as the page's address has it. */
  chosen: string | null;
  values: Record<string, string> | undefined;
  errors: Record<string, string> | undefined;
}

/**
 * The form with which an operator decides, in two steps that are addresses: first what is done, then why. It carries the
 * state of the case that the operator sees.
 */
export function DecisionForm({ found, chosen, values, errors }: Props) {
  const action = operatorCasePath(found.id);
  const choices = choicesFor(found);
  const choice = choices.find(({ id }) => id === chosen);
  return (
    <Section id="decide" title="Decide" className="card stack">
      <p className="muted">
        A low rating, a harsh opinion or the guide’s wish is not a reason. The people concerned read
        the ground and the explanation.
      </p>
      <nav aria-label="Decision">
        <ul className="stack">
          {choices.map(({ id, label }) => (
            <li key={id}>
              <Link
                className="option"
                to={`${action}?decision=${id}#decide`}
                aria-current={id === chosen || undefined}
                replace={choice !== undefined}
                preventScrollReset
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {choice &&
        (values?.[STEP] === SUMMARY && !errors ? (
          <DecisionSummary {...{ found, choice, values }} />
        ) : (
          <Reasons {...{ found, choice, values, errors }} />
        ))}
    </Section>
  );
}

function Reasons({
  found,
  choice,
  values,
  errors,
}: Omit<Props, "chosen"> & { choice: DecisionChoice }) {
  const action = operatorCasePath(found.id);
  const [named, setNamed] = useState(values?.ground ?? "");
  const ground = choice.ground ?? (named as Ground | "");
  return (
    <Form
      method="post"
      action={`${action}?decision=${choice.id}`}
      className="form"
      noValidate
      preventScrollReset
    >
      <input type="hidden" name="version" value={found.version} />
      <input type="hidden" name="tag" value={found.tag} />
      <input type="hidden" name="reports" value={found.reports} />
      <input type="hidden" name="appeals" value={found.appeals.length} />
      <input type="hidden" name="action" value={choice.action} />
      {choice.ground ? (
        <input type="hidden" name="ground" value={choice.ground} />
      ) : (
        <SelectField
          label="Ground"
          name="ground"
          defaultValue={named}
          onChange={(event) => setNamed(event.currentTarget.value)}
          error={errors?.ground}
          options={[["", "Choose …"], ...NAMED_GROUNDS]}
        />
      )}
      {choice.ground === "order" && (
        <Field
          label="Authority and file number"
          name="reference"
          defaultValue={values?.reference ?? ""}
          error={errors?.reference}
        />
      )}
      <WordsField
        label="Explanation"
        name="explanation"
        hint="Name the rule, the words that break it, and why. Quote no personal data."
        defaultValue={values?.explanation}
        error={errors?.explanation}
      />
      <div className="note stack">
        <h3>Readers will see</h3>
        <p>{readersSee(choice.action, found, ground)}</p>
      </div>
      <p className="row">
        {takesDown(choice.action) ? (
          <SubmitButton action={action} name={STEP} value={SUMMARY}>
            Continue to the summary
          </SubmitButton>
        ) : (
          <SubmitButton action={action}>{NOTIFY}</SubmitButton>
        )}
      </p>
    </Form>
  );
}

const NOTIFY = "Decide and notify the people involved";

const takesDown = (action: Action) => action === "redact" || action === "remove";
