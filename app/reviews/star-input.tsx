import { useState } from "react";
import { NO_RATING } from "~/infra/review-limits";
import { Described } from "~/ui/forms";
import { Star, starsInWords } from "~/ui/stars";

const WORDS = ["Poor", "Fair", "Good", "Very good", "Excellent"];

interface Props {
  error?: string | undefined;
  defaultValue?: number | undefined;
}

export function StarInput({ error, defaultValue }: Props) {
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
