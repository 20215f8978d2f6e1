import { useNavigation } from "@remix-run/react";
import type { ComponentProps, InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from "react";
import type { FormErrors } from "~/lib/errors.server";
import { useErrorTitle } from "~/ui/browser/error-title";
import { useFocused } from "./focused";

interface SummaryProps {
  errors: FormErrors | undefined;
  /** As of the form's fields. */
  idPrefix?: string;
}

/** Says what a form was refused for, and leads to its fields. */
export function ErrorSummary({ errors, idPrefix = "" }: SummaryProps) {
  useErrorTitle(errors !== undefined);
  const focused = useFocused(errors);
  if (!errors) return null;
  const fields = Object.entries(errors.fields);
  return (
    <div className="note note-danger stack" role="alert" {...focused}>
      <p>
        <strong>{errors.form ?? "There is a problem"}</strong>
      </p>
      {fields.length > 0 && (
        <ul>
          {fields.map(([name, text]) => (
            <li key={name}>
              <a
                href={`#${idPrefix}${name}`}
                onClick={(event) => {
                  const field = document.getElementById(idPrefix + name);
                  if (!field) return;
                  // Following the link would be a navigation, which removes the errors from the page.
                  event.preventDefault();
                  field.focus();
                }}
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface FieldProps {
  label: string;
  name: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Makes the ids unique on a page with several forms. */
  idPrefix?: string | undefined;
}

/** The id of a field, and the attributes that connect it with its hint and its error. */
export function useField({ name, hint, error, idPrefix = "" }: Omit<FieldProps, "label">) {
  const id = idPrefix + name;
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return {
    id,
    wiring: {
      id,
      name,
      "aria-invalid": error ? (true as const) : undefined,
      "aria-describedby": describedBy || undefined,
    },
  };
}

interface DescribedProps {
  id: string;
  hint: ReactNode;
  error: string | undefined;
}

export function Described({ id, hint, error }: DescribedProps) {
  return (
    <>
      {hint ? (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  );
}

export function Field({
  label,
  hint,
  error,
  idPrefix,
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const { id, wiring } = useField({ name: input.name, hint, error, idPrefix });
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Described id={id} hint={hint} error={error} />
      <input type="text" dir={input.type ? undefined : "auto"} {...input} {...wiring} />
    </div>
  );
}

/**
 * `type="email"` would refuse non-ASCII addresses, which have accounts, and send a different text than was typed; this
 * field has the rest of that type.
 */
export const EmailField = (input: ComponentProps<typeof Field>) => (
  <Field
    inputMode="email"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    {...input}
  />
);

export type Option = [value: string | number, shown: string];

export function SelectField({
  label,
  hint,
  error,
  idPrefix,
  options,
  ...select
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement> & { options: Option[] }) {
  const { id, wiring } = useField({ name: select.name, hint, error, idPrefix });
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Described id={id} hint={hint} error={error} />
      <select {...select} {...wiring}>
        {options.map(([value, shown]) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    </div>
  );
}

interface ButtonProps {
  children: ReactNode;
  action: string;
  className?: string;
  name?: string;
  value?: string;
  id?: string;
  "aria-labelledby"?: string;
}

/** A form's button; while its form is being sent to `action` it does nothing, but keeps the focus. */
export function SubmitButton({ children, action, className = "", ...button }: ButtonProps) {
  const navigation = useNavigation();
  const isBusy =
    navigation.state !== "idle" &&
    navigation.formAction?.split("?")[0] === action &&
    (button.value === undefined || navigation.formData?.get(button.name ?? "") === button.value);
  return (
    <button
      type="submit"
      {...button}
      className={`button ${className}`}
      // `disabled` would take the focus away.
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : undefined}
    >
      {isBusy ? busyInWords(children) : children}
    </button>
  );
}

const BUSY: Record<string, string> = {
  Delete: "Deleting …",
  Post: "Posting …",
  Publish: "Publishing …",
  Save: "Saving …",
  Send: "Sending …",
};

/** Says what a busy button does, by the first word of its label. */
function busyInWords(children: ReactNode): string {
  const [verb = ""] = typeof children === "string" ? children.split(" ") : [];
  return BUSY[verb] ?? "One moment …";
}
