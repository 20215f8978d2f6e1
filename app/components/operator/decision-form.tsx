import { Form } from "@remix-run/react";
import type { FormErrors } from "~/infra/errors.server";
import type { OperatorCase } from "~/services/moderation/cases.server";
import { type Action, GROUNDS } from "~/services/moderation/words";
import { Field, SelectField, SubmitButton } from "../forms";
import { RadioGroup } from "../radio-group";
import { operatorCasePath } from "../paths";
import { WordsField } from "./words-field";

interface Props {
  found: Pick<OperatorCase, "id" | "version" | "tag" | "kind" | "state" | "actions" | "reports"> & {
    appeals: unknown[];
  };
  values: Record<string, string> | undefined;
  errors: FormErrors | undefined;
}

const LABELS: Record<Action, (found: Props["found"]) => string> = {
  keep: ({ kind, state }) =>
    state === "appealed" ? "Uphold the decision" : `Keep the ${kind} as it is`,
  redact: () => "Remove the words: they are unlawful, and the rating is genuine",
  remove: ({ kind }) =>
    kind === "review"
      ? "Remove the review: it is not genuine, or wholly unlawful"
      : "Remove the reply",
  restore: ({ kind }) => `Show the ${kind} again as it was`,
};

/** The form with which an operator decides; it carries the state of the case that the operator sees. */
export function DecisionForm({ found, values, errors }: Props) {
  const action = operatorCasePath(found.id);
  return (
    <section className="card stack" aria-labelledby="decide">
      <h2 id="decide">Decide</h2>
      <p className="muted">
        A low rating, a harsh opinion or the guide’s wish is not a reason. The people concerned read
        the ground and the explanation.
      </p>
      <Form method="post" action={action} className="form" noValidate>
        <input type="hidden" name="version" value={found.version} />
        <input type="hidden" name="tag" value={found.tag} />
        <input type="hidden" name="reports" value={found.reports} />
        <input type="hidden" name="appeals" value={found.appeals.length} />
        <RadioGroup
          legend="Decision"
          name="action"
          choices={found.actions.map((value) => ({ value, label: LABELS[value](found) }))}
          chosen={values?.action}
          error={errors?.fields.action}
        />
        <SelectField
          label="Ground"
          name="ground"
          defaultValue={values?.ground ?? ""}
          error={errors?.fields.ground}
        >
          <option value="">Choose …</option>
          {Object.entries(GROUNDS).map(([ground, { label }]) => (
            <option key={ground} value={ground}>
              {label}
            </option>
          ))}
        </SelectField>
        <Field
          label="Authority and file number"
          name="reference"
          hint="Only for the order of an authority."
          defaultValue={values?.reference ?? ""}
          error={errors?.fields.reference}
        />
        <WordsField
          label="Explanation"
          name="explanation"
          hint="Name the rule, the words that break it, and why. Quote no personal data."
          defaultValue={values?.explanation}
          error={errors?.fields.explanation}
        />
        <p className="row">
          <SubmitButton action={action}>Decide and tell everybody</SubmitButton>
        </p>
      </Form>
    </section>
  );
}
