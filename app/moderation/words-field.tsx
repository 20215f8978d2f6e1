import { WORDS_MAX_LENGTH } from "~/ui/labels";
import { Described, useField } from "~/ui/forms";

/** A text of several lines in a form of a report, a decision or an appeal. */
export function WordsField({
  label,
  name = "words",
  hint,
  error,
  defaultValue,
}: {
  label: string;
  name?: string;
  hint: string;
  error?: string | undefined;
  defaultValue?: string | undefined;
}) {
  const full = `${hint} Up to ${WORDS_MAX_LENGTH.toLocaleString("en-GB")} characters.`;
  const { id, wiring } = useField({ name, hint: full, error });
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Described id={id} hint={full} error={error} />
      <textarea {...wiring} rows={5} dir="auto" defaultValue={defaultValue ?? ""} required />
    </div>
  );
}
