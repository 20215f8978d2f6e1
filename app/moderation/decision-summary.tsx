import { Form } from "@remix-run/react";
import { SubmitButton } from "~/ui/forms";
import { useFocused } from "~/ui/focused";
import { type Action } from "~/moderation/labels";
import { type Ground, GROUND_TEXTS } from "~/ui/grounds";
import { operatorCasePath } from "~/ui/paths";
import type { OperatorCase } from "./cases.server";
import { TextOrRemoved } from "./fields";

/** The field that says whether a form is only to be shown again: as a summary, or to be changed. */
export const STEP = "step";
export const SUMMARY = "summary";

/** An action, and whether an authority has ordered it. */
export interface DecisionChoice {
  id: string;
  label: string;
  action: Action;
  /** The ground that follows from the choice; null where the operator names it. */
  ground: Ground | null;
}

interface DecisionSummaryProps {
  found: OperatorCase;
  choice: DecisionChoice;
  values: Record<string, string>;
}

/** A removal once more in short, before it is carried out. */
export function DecisionSummary({ found, choice, values }: DecisionSummaryProps) {
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
        <dd>{GROUND_TEXTS[ground].label}</dd>
        {reference && (
          <div key="order">
            <dt>Order</dt>
            <dd>
              <bdi translate="no">{reference}</bdi>
            </dd>
          </div>
        )}
        <dt>Readers will see</dt>
        <dd>{readersSee(choice.action, found, ground)}</dd>
        <dt>E-mails go to</dt>
        <dd>the author, the guide, and everyone who reported it with an address</dd>
        <dt>Explanation, as they read it</dt>
        <dd>
          <TextOrRemoved text={explanation} />
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

/** Returns what there is once that is decided. */
export function stateAfter(action: Action, item: OperatorCase["item"]) {
  if (action === "keep") return item?.state ?? "gone";
  return ({ redact: "redacted", remove: "removed", restore: "shown" } as const)[action];
}

/** Says what the tour's page shows once this is decided. */
export function readersSee(
  action: Action,
  { kind, item }: OperatorCase,
  ground: Ground | "",
): string {
  const state = stateAfter(action, item);
  if (state === "gone") return `Nothing: the ${kind} is gone.`;
  if (state === "removed")
    return kind === "review"
      ? "Nothing: the review is not shown, and its stars do not count."
      : "Nothing: the reply is not shown.";
  if (state === "redacted")
    return `The stars, and in place of the words: “The words were removed”, with the date and the ground${ground ? ` “${GROUND_TEXTS[ground].label}”` : ""}.`;
  return `The ${kind}, as it ${action === "restore" ? "was" : "is now"}.`;
}
