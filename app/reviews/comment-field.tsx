import { type TextareaHTMLAttributes, useEffect, useRef, useState } from "react";
import { longestOf, overLength, type WrittenKind } from "~/infra/review-limits";
import { Described, useField } from "~/ui/forms";
import { useHydrated } from "~/ui/browser/hydrated";

/** The counter warns past the bound. `idPrefix` makes the ids unique on a page with several fields. */
export function CommentField({
  kind = "comment",
  idPrefix,
  error,
  defaultValue,
  ...textarea
}: {
  kind?: WrittenKind;
  idPrefix?: string;
  error?: string | undefined;
} & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const most = longestOf(kind).toLocaleString("en-GB");
  const [label, hint] =
    kind === "reply"
      ? ["Your reply", `Everybody can read it. Up to ${most} characters.`]
      : ["Comment", `Optional, up to ${most} characters.`];
  const { id, wiring } = useField({ name: "comment", hint, error, idPrefix });
  // Undefined until a script runs: without one, a counter would never change.
  const [count, setCount] = useState<{ length: number; over: string | null }>();
  // With an initial text, React would overwrite what was typed before it takes over the field.
  const isTakenOver = !useHydrated() && typeof document !== "undefined";
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => setCount(countOf(field.current!, kind)), [kind]);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Described
        id={id}
        error={error}
        hint={
          <span className={count?.over ? "field-error" : undefined}>
            {count?.length ? inWords(count, most) : hint}
          </span>
        }
      />
      <span className="visually-hidden" aria-live="polite">
        {count?.over ? `Your ${kind} is too long.` : ""}
      </span>
      <textarea
        {...textarea}
        {...wiring}
        aria-invalid={error || count?.over ? true : undefined}
        ref={field}
        rows={6}
        dir="auto"
        defaultValue={isTakenOver ? undefined : defaultValue}
        onInput={(event) => setCount(countOf(event.currentTarget, kind))}
      />
    </div>
  );
}

const inWords = ({ length, over }: ReturnType<typeof countOf>, most: string) =>
  [`${length.toLocaleString("en-GB")} of ${most} characters`, over].filter(Boolean).join(". ");

const countOf = ({ value }: HTMLTextAreaElement, kind: WrittenKind) => ({
  length: [...value].length,
  over: overLength(value, kind),
});
