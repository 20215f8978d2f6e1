import type { ReactNode } from "react";
import { Written } from "~/reviews/list/comment";
import { withoutControls } from "~/lib/text";
import { Described, useField } from "~/ui/forms";
import { WORDS_MAX_LENGTH } from "~/moderation/labels";
import { ReviewStars } from "~/ui/stars";

interface TextOrRemovedProps {
  /** Null when it was removed. */
  text: string | null;
  removed?: string;
}

/** Shows what somebody wrote in a report, a decision or an appeal. */
export const TextOrRemoved = ({ text, removed = "The words were removed." }: TextOrRemovedProps) =>
  text === null ? <p className="muted">{removed}</p> : <Written text={text} />;

interface ReportedProps {
  kind: "review" | "reply";
  /** The author's name; empty for a deleted account, absent where the name is confidential. */
  author?: string;
  rating: number | null;
  text: string | null;
}

/** A review or a reply that is reported, in short. */
export function ReportedText({ kind, author, rating, text }: ReportedProps) {
  return (
    <div className="stack">
      {author !== undefined && (
        <p className="muted small">
          <span>{kind === "review" ? "A review by " : "A reply by "}</span>
          <strong>
            <bdi translate="no">
              {author || (kind === "review" ? "a former explorer" : "a former guide")}
            </bdi>
          </strong>
        </p>
      )}
      {kind === "review" && (
        <p>
          <ReviewStars rating={rating} />
        </p>
      )}
      {text ? <Written text={text} /> : <p className="muted">It has no words.</p>}
    </div>
  );
}

interface WordsFieldProps {
  label: string;
  name?: string;
  hint: string;
  error: string | undefined;
  defaultValue: string | undefined;
}

/** The field for such a text. */
export function WordsField({ label, name = "words", hint, ...field }: WordsFieldProps) {
  const full = `${hint} Up to ${WORDS_MAX_LENGTH.toLocaleString("en-GB")} characters.`;
  const { id, wiring } = useField({ name, hint: full, error: field.error });
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Described id={id} hint={full} error={field.error} />
      <textarea
        {...wiring}
        rows={5}
        dir="auto"
        defaultValue={withoutControls(field.defaultValue ?? "")}
        required
      />
    </div>
  );
}

interface TickProps {
  name: string;
  error: string | undefined;
  defaultChecked?: boolean;
  children: ReactNode;
}

/** A box that has to be ticked. */
export function Tick({ name, error, defaultChecked = false, children }: TickProps) {
  const { id, wiring } = useField({ name, error });
  return (
    <div className="field">
      <Described id={id} hint={null} error={error} />
      <label className="choice">
        <input type="checkbox" value="yes" defaultChecked={defaultChecked} {...wiring} />
        <span>{children}</span>
      </label>
    </div>
  );
}
