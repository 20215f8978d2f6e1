import { Form } from "@remix-run/react";
import type { ReactElement } from "react";
import { WordsField } from "~/moderation/fields";
import { SelectField, SubmitButton } from "~/ui/forms";
import { SUSPENSION_DAYS } from "~/moderation/labels";
import { misusePath, operatorSanctionPath } from "~/ui/paths";
import { RadioGroup } from "~/ui/radio-group";
import { Section } from "~/ui/section";
import type { Misuse } from "./sanction-author.server";
import type { OperatorSanction } from "./sanctions.server";

/** The values of a form that was refused. */
interface Refused {
  values: Record<string, string> | undefined;
  errors: Record<string, string> | undefined;
}

/** The form carries the number of the next warning or suspension, so that the operator has seen those before. */
export function MisuseForm({ misuse, ...refused }: Refused & { misuse: Misuse }) {
  const { caseId, reportId, scope, number, isWarned } = misuse;
  const { values, errors } = refused;
  const [about, suspend] = (
    {
      account: [
        "For people who repeatedly break the rules. Consider how often, how serious and how deliberate it was.",
        "Suspend the account: no log-in, and no access tokens",
      ],
      reports: [
        "For people who repeatedly report what is plainly allowed. Consider how often and how deliberate it was.",
        "Suspend from reporting: further reports are refused",
      ],
    } as const
  )[scope];
  return (
    <OperatorForm
      title="Decide"
      about={about}
      path={misusePath(caseId, reportId)}
      hint="Say what they did, when, and which rule it broke. They read it."
      submit={isWarned ? "Decide and notify them" : "Send the warning"}
      {...refused}
    >
      <input type="hidden" name="number" value={number} />
      <RadioGroup
        legend="Decision"
        name="kind"
        choices={[
          { value: "warning", label: "Warn: nothing else happens" },
          { value: "suspension", label: suspend, disabled: !isWarned },
        ]}
        chosen={values?.kind}
        hint={
          isWarned ? undefined : "A suspension follows only a warning of the last twelve months."
        }
        error={errors?.kind}
      />
      {isWarned && (
        <SelectField
          label="For how long"
          name="days"
          defaultValue={values?.days ?? "7"}
          error={errors?.days}
          options={SUSPENSION_DAYS.map((days) => [days, `${days} days`])}
        />
      )}
    </OperatorForm>
  );
}

/** The form says whether the operator has seen an appeal. */
export function OutcomeForm({ sanction, ...refused }: Refused & { sanction: OperatorSanction }) {
  const { id, kind, appeal } = sanction;
  return (
    <OperatorForm
      title={appeal ? "Decide about the appeal" : "Take it back"}
      path={operatorSanctionPath(id)}
      hint="Say why. They read it."
      submit="Decide and notify them"
      {...refused}
    >
      <input type="hidden" name="appealed" value={appeal ? "yes" : "no"} />
      <RadioGroup
        legend="Decision"
        name="outcome"
        choices={[
          ...(appeal ? [{ value: "stands", label: "It stands" }] : []),
          {
            value: "taken back",
            label: kind === "warning" ? "Take the warning back" : "Take it back: it ends at once",
          },
        ]}
        chosen={refused.values?.outcome}
        error={refused.errors?.outcome}
      />
    </OperatorForm>
  );
}

interface Props extends Refused {
  title: string;
  about?: string | undefined;
  path: string;
  hint: string;
  submit: string;
  /** The fields above the explanation. */
  children: ReactElement | (ReactElement | false)[];
}

function OperatorForm({ title, about, path, hint, submit, values, errors, children }: Props) {
  return (
    <Section id="decide" title={title} className="card stack">
      {about !== undefined && <p className="muted">{about}</p>}
      <Form method="post" action={path} className="form" noValidate>
        {children}
        <WordsField
          label="Explanation"
          name="explanation"
          hint={hint}
          defaultValue={values?.explanation}
          error={errors?.explanation}
        />
        <p className="row">
          <SubmitButton action={path}>{submit}</SubmitButton>
        </p>
      </Form>
    </Section>
  );
}
