import { Form } from "@remix-run/react";
import type { FormErrors } from "~/lib/errors.server";
import { SubmitButton } from "~/ui/forms";
import { Section } from "~/ui/section";
import { Time } from "~/ui/time";
import { unlisted } from "~/ui/site";
import { Tick, WordsField } from "./fields";

// Parts of the pages on which people read a decision and appeal against it, by the link of an e-mail.

const APPEAL = "appeal";
export const DELETE = "delete";
export const INTENTS = [APPEAL, DELETE];

export const statementMeta = ({ data }: { data?: unknown }) =>
  unlisted((data as { title: string } | undefined)?.title ?? "Not found");

/** The values of a form that was refused. */
export type RefusedStatement = { values: { words: string }; errors: FormErrors } | undefined;

interface Props {
  statement: { path: string; appealUntil: Date | null; timeZone: string };
  refused: RefusedStatement;
}

interface DeleteProps {
  path: string;
  /** The kind of content to delete, after its owner has ticked `children`. */
  name: string;
  error: string | undefined;
  children: string;
}

export function DeleteForm({ path, name, error, children }: DeleteProps) {
  return (
    <Form method="post" className="form" noValidate>
      <Tick name="sure" error={error}>
        {children}
      </Tick>
      <p className="row">
        <SubmitButton action={path} className="button-danger" name="intent" value={DELETE}>
          {`Delete my ${name}`}
        </SubmitButton>
      </p>
    </Form>
  );
}

/** The form of an appeal; nothing for those who cannot appeal, or have. */
export function AppealForm({ statement: { path, appealUntil, timeZone }, refused }: Props) {
  if (!appealUntil) return null;
  return (
    <Section id="appeal" title="Appeal">
      <p>
        {"If you think that the decision is wrong, tell us why by "}
        <Time at={appealUntil} zone={timeZone} />
        {". Where possible, someone else decides. You can appeal once."}
      </p>
      <Form method="post" className="form" noValidate>
        <WordsField
          label="Why is it wrong?"
          hint="Only the people who decide read it."
          defaultValue={refused?.values.words}
          error={refused?.errors.fields.words}
        />
        <p className="row">
          <SubmitButton action={path} name="intent" value={APPEAL}>
            Send the appeal
          </SubmitButton>
        </p>
      </Form>
    </Section>
  );
}
