import type { ReactNode } from "react";
import { Described, useField } from "./forms";

export interface RadioChoice {
  value: string;
  label: string;
  hint?: string;
  disabled?: boolean;
}

interface RadioGroupProps {
  legend: ReactNode;
  name: string;
  choices: RadioChoice[];
  chosen: string | undefined;
  hint?: string | undefined;
  error: string | undefined;
}

/** The error summary's link leads to the first choice. */
export function RadioGroup({ legend, name, choices, chosen, hint, error }: RadioGroupProps) {
  const { id: first, wiring } = useField({ name, hint, error });
  return (
    <fieldset aria-describedby={wiring["aria-describedby"]}>
      <legend>{legend}</legend>
      <Described id={first} hint={hint} error={error} />
      {choices.map((choice, index) => {
        const id = index === 0 ? first : `${first}-${index + 1}`;
        return (
          <div key={choice.value} className="choice">
            <input
              type="radio"
              name={name}
              value={choice.value}
              id={id}
              disabled={choice.disabled}
              aria-describedby={choice.hint && `${id}-about`}
              defaultChecked={chosen === choice.value}
            />
            <div>
              <label htmlFor={id}>{choice.label}</label>
              {choice.hint && (
                <p className="hint" id={`${id}-about`}>
                  {choice.hint}
                </p>
              )}
            </div>
          </div>
        );
      })}
    </fieldset>
  );
}
