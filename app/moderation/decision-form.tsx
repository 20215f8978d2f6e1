import { Form, Link } from "@remix-run/react";
import { useState } from "react";
import { type Action, type Ground, GROUNDS } from "~/ui/labels";
import { Field, type Option, SelectField, SubmitButton } from "~/ui/forms";
import { useFocused } from "~/ui/focused";
import { operatorCasePath } from "~/ui/paths";
import { Section } from "~/ui/section";
import type { OperatorCase } from "./cases.server";
import { Words, WordsField } from "./fields";

/** The field that says whether a form is only to be shown again: as a summary, or to be changed. */
export const STEP = "step";
export const SUMMARY = "summary";

/** An action, and whether an authority has ordered it. */
interface Choice {
  id: string;
  label: string;
  action: Action;
  /** The ground that follows from the choice; null where the operator names it. */
  ground: Ground | null;
}

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
const choicesFor = (found: OperatorCase): Choice[] =>
  found.actions.flatMap((action): Choice[] => {
    const label = LABELS[action](found);
    const state = stateAfter(action, found.item);
    if (state === "shown" || state === "gone")
      return [{ id: action, label, action, ground: "allowed" }];
    const ordered = `${label.split(":")[0]!}, by order of an authority`;
    return [
      { id: action, label, action, ground: null },
      { id: `${action}-order`, label: ordered, action, ground: "order" },
    ];
  });

/** Returns what there is once that is decided. */
function stateAfter(action: Action, item: OperatorCase["item"]) {
  if (action === "keep") return item?.state ?? "gone";
  return ({ redact: "redacted", remove: "removed", restore: "shown" } as const)[action];
}

const NAMED_GROUNDS = Object.entries(GROUNDS)
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
          <Summary {...{ found, choice, values }} />
        ) : (
          <Reasons {...{ found, choice, values, errors }} />
        ))}
    </Section>
  );
}

function Reasons({ found, choice, values, errors }: Omit<Props, "chosen"> & { choice: Choice }) {
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

/** A removal once more in short, before it is carried out. */
function Summary({
  found,
  choice,
  values,
}: {
  found: OperatorCase;
  choice: Choice;
  values: Record<string, string>;
}) {
  const path = operatorCasePath(found.id);
  const ground = (values.ground ?? "") as Ground;
  const { explanation = "", reference = "" } = values;
  const focused = useFocused(values);
  return (
    <Form
      method="post"
      action={`${path}?decision=${choice.id}`}
      className="form"
      preventScrollReset
      aria-labelledby="summary"
    >
      <h3 id="summary" {...focused}>
        Check your decision
      </h3>
      <dl className="stack">
        <dt>Decision</dt>
        <dd>{choice.label}</dd>
        <dt>Reason</dt>
        <dd>
          {GROUNDS[ground].label}
          {reference && (
            <>
              {" · "}
              <bdi>{reference}</bdi>
            </>
          )}
        </dd>
        <dt>Readers will see</dt>
        <dd>{readersSee(choice.action, found, ground)}</dd>
        <dt>E-mails go to</dt>
        <dd>the author, the guide, and everyone who reported it with an address</dd>
        <dt>Explanation, as they read it</dt>
        <dd>
          <Words text={explanation} />
        </dd>
      </dl>
      {SENT.map((name) => (
        <input key={name} type="hidden" name={name} value={values[name] ?? ""} />
      ))}
      <p className="row">
        <SubmitButton action={path} className="button-danger">
          {choice.action === "redact"
            ? "Remove the words"
            : found.kind === "review"
              ? "Remove the review"
              : "Remove the reply"}
        </SubmitButton>
        <SubmitButton action={path} className="button-quiet" name={STEP} value="change">
          Change it
        </SubmitButton>
      </p>
    </Form>
  );
}

const SENT = [
  "version",
  "tag",
  "reports",
  "appeals",
  "action",
  "ground",
  "reference",
  "explanation",
];

/** Says what the tour's page shows once this is decided. */
function readersSee(action: Action, { kind, item }: OperatorCase, ground: Ground | ""): string {
  const state = stateAfter(action, item);
  if (state === "gone") return `Nothing: the ${kind} is gone.`;
  if (state === "removed")
    return kind === "review"
      ? "Nothing: the review is not shown, and its stars do not count."
      : "Nothing: the reply is not shown.";
  if (state === "redacted")
    return `The stars, and in place of the words: “The words were removed”, with the date and the ground${ground ? ` “${GROUNDS[ground].label}”` : ""}.`;
  return `The ${kind}, as it ${action === "restore" ? "was" : "is now"}.`;
}
