import { type ReactNode, type TextareaHTMLAttributes, useEffect, useRef, useState } from "react";
import { longestText, NO_RATING, overLength, type WrittenKind } from "~/lib/review-limits";
import { withoutControls } from "~/lib/text";
import { Described, useField } from "~/ui/forms";
import { useHydrated } from "~/ui/browser/hydrated";
import { Star, starsInWords } from "~/ui/stars";

interface CommentFieldProps extends Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  "defaultValue"
> {
  kind?: WrittenKind;
  /** Makes the ids unique on a page with several fields. */
  idPrefix?: string;
  error?: string | undefined;
  defaultValue?: string;
}

/** The counter warns past the bound. */
export function CommentField({
  kind = "comment",
  idPrefix,
  error,
  defaultValue = "",
  ...textarea
}: CommentFieldProps) {
  const most = longestText(kind).toLocaleString("en-GB");
  const [label, hint] =
    kind === "reply"
      ? ["Your reply", `Your reply is public. Up to ${most} characters.`]
      : ["Comment", `Optional, up to ${most} characters.`];
  // Undefined until a script runs: without one, a counter would never change.
  const [count, setCount] = useState<{ length: number; over: string | null }>();
  // With an initial text, React would overwrite what was typed before it takes over the field.
  const isTakenOver = !useHydrated() && typeof document !== "undefined";
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (field.current) setCount(countCharacters(field.current, kind));
  }, [kind]);
  // The counter says how much is too much now, in one place.
  const said = count?.over ? undefined : error;
  const { id, wiring } = useField({ name: "comment", hint, error: said, idPrefix });
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Described
        id={id}
        error={said}
        hint={
          <span className={count?.over ? "field-error" : undefined}>
            {count?.length ? charactersInWords(count, most) : hint}
          </span>
        }
      />
      <span className="visually-hidden" aria-live="polite">
        {count?.over && !error ? `Your ${kind} is too long.` : ""}
      </span>
      <textarea
        {...textarea}
        {...wiring}
        aria-invalid={error || count?.over ? true : undefined}
        ref={field}
        rows={6}
        dir="auto"
        defaultValue={isTakenOver ? undefined : withoutControls(defaultValue)}
        onInput={(event) => setCount(countCharacters(event.currentTarget, kind))}
      />
    </div>
  );
}

const charactersInWords = ({ length, over }: ReturnType<typeof countCharacters>, most: string) =>
  [`${length.toLocaleString("en-GB")} of ${most} characters`, over].filter(Boolean).join(". ");

/** Counts what the server stores: the text without blanks around it. */
function countCharacters({ value }: HTMLTextAreaElement, kind: WrittenKind) {
  const stored = value.trim();
  return { length: [...stored].length, over: overLength(stored, kind) };
}

const WORDS = ["Poor", "Fair", "Good", "Very good", "Excellent"];

interface StarProps {
  error?: string | undefined;
  defaultValue?: number | undefined;
}

export function StarInput({ error, defaultValue }: StarProps) {
  // Browsers would report a missing rating at one star, and only for some seconds.
  const [missing, setMissing] = useState(false);
  const said = error ?? (missing ? NO_RATING : undefined);
  return (
    <fieldset
      className="field"
      // A group cannot be invalid.
      role="radiogroup"
      aria-required
      aria-invalid={said ? true : undefined}
      aria-describedby={said && "rating-error"}
    >
      <legend>Your rating</legend>
      <Described id="rating" hint={null} error={said} />
      <div className="star-input">
        {WORDS.map((word, index) => (
          <label key={word}>
            <input
              type="radio"
              name="rating"
              // The error summary's link leads to the first star.
              id={index === 0 ? "rating" : undefined}
              value={index + 1}
              defaultChecked={defaultValue === index + 1}
              required
              onInvalid={(event) => {
                event.preventDefault();
                setMissing(true);
                if (index === 0) event.currentTarget.focus();
              }}
              onChange={() => setMissing(false)}
            />
            <Star />
            <span className="visually-hidden">
              {`${starsInWords(index + 1)}, ${word.toLowerCase()}`}
            </span>
          </label>
        ))}
        {/* The one of the chosen star is seen; a label already says it to screen readers. */}
        <span className="star-words" aria-hidden="true">
          {WORDS.map((word) => (
            <span key={word}>{word}</span>
          ))}
        </span>
      </div>
    </fieldset>
  );
}

interface DraftProps {
  draft: { found: object | null; discard: () => void };
  children: ReactNode;
}

/** Says that a draft was found, and its children until then: also one line, so that nothing moves. */
export function DraftNote({ draft: { found, discard }, children }: DraftProps) {
  if (!found) return <p className="muted">{children}</p>;
  return (
    <p key="draft" className="muted" role="status">
      Your draft is back.{" "}
      <button type="button" className="link-button" onClick={discard}>
        Discard draft
      </button>
    </p>
  );
}
