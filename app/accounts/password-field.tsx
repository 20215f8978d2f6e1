import { type ComponentProps, useEffect, useRef, useState } from "react";
import { Field } from "~/ui/forms";
import { useHydrated } from "~/ui/browser/hydrated";

/**
 * The address of the account that a password belongs to, for password managers: forms that show no field for it have
 * this one. It is not sent.
 */
export const AccountName = ({ email }: { email: string }) => (
  <input type="text" autoComplete="username" hidden readOnly value={email} />
);

export function PasswordField(input: Omit<ComponentProps<typeof Field>, "type">) {
  const [isShown, setShown] = useState(false);
  const canShow = useHydrated();
  const box = useRef<HTMLDivElement>(null);
  // Sent as a password, so that no browser offers it later as it offers names.
  useEffect(() => {
    const form = box.current?.closest("form");
    const hide = () => setShown(false);
    form?.addEventListener("submit", hide);
    return () => form?.removeEventListener("submit", hide);
  }, []);
  return (
    <div className="password-field" ref={box}>
      <Field
        {...input}
        type={isShown ? "text" : "password"}
        autoCapitalize="none"
        spellCheck={false}
      />
      {canShow && (
        <button
          type="button"
          className="link-button small"
          aria-controls={(input.idPrefix ?? "") + input.name}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? "Hide password" : "Show password"}
        </button>
      )}
    </div>
  );
}
