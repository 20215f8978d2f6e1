import { type ComponentProps, useEffect, useRef, useState } from "react";
import { Field } from "~/ui/forms";
import { useByPlatform } from "~/ui/browser/by-platform";
import { useHydrated } from "~/ui/browser/hydrated";

type Props = ComponentProps<typeof Field> & { account?: string; isNew?: boolean };

/**
 * A field for a password, present or new. `account` is the address of the account that it belongs to, for password
 * managers, where the form shows no field for it; it is not sent. Where the platform logs users in, says what counts
 * instead.
 */
export const PasswordField = (props: Props) =>
  useByPlatform() ? (
    <p className="hint">
      If you logged in more than five minutes ago, you log in again first, and come back here.
    </p>
  ) : (
    <OwnPassword {...props} />
  );

function OwnPassword({ account, isNew = false, ...input }: Props) {
  const [isShown, setShown] = useState(false);
  const canShow = useHydrated();
  const box = useRef<HTMLDivElement>(null);
  // The field is of the type `password` when it is sent, so that no browser offers its value later.
  useEffect(() => {
    const form = box.current?.closest("form");
    const hide = () => setShown(false);
    form?.addEventListener("submit", hide);
    return () => form?.removeEventListener("submit", hide);
  }, []);
  return (
    <>
      {account && <input type="text" autoComplete="username" hidden readOnly value={account} />}
      <div className="password-field" ref={box}>
        <Field
          {...(isNew && { hint: "At least 10 characters." })}
          {...input}
          type={isShown ? "text" : "password"}
          autoComplete={isNew ? "new-password" : "current-password"}
          autoCapitalize="none"
          spellCheck={false}
          required
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
    </>
  );
}
