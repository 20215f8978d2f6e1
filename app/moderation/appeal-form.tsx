import { Form } from "@remix-run/react";
import type { FormErrors } from "~/infra/errors.server";
import { SubmitButton } from "~/ui/forms";
import { Time } from "~/ui/time";
import { WordsField } from "./words-field";

interface Props {
  /** Until when it is taken: ISO 8601. */
  until: string;
  /** Whose clocks show that; the site's without it. */
  timeZone?: string;
  /** The page's path, and the intent that its action knows an appeal by. */
  path: string;
  intent: string;
  /** What was sent and refused. */
  refused: { values: { words: string }; errors: FormErrors } | undefined;
}

/** The form with which somebody appeals by the link of an e-mail, once. */
export function AppealForm({ until, timeZone, path, intent, refused }: Props) {
  return (
    <section className="stack" aria-labelledby="appeal">
      <h2 id="appeal">Appeal</h2>
      <p>
        {"If you think that the decision is wrong, tell us why by "}
        <Time at={until} {...(timeZone && { zone: timeZone })} />
        {". Another person decides then, where there is one. You can appeal once."}
      </p>
      <Form method="post" className="form" noValidate>
        <WordsField
          label="Why is it wrong?"
          hint="Only the people who decide read it."
          defaultValue={refused?.values.words}
          error={refused?.errors.fields.words}
        />
        <p className="row">
          <SubmitButton action={path} name="intent" value={intent}>
            Send the appeal
          </SubmitButton>
        </p>
      </Form>
    </section>
  );
}
