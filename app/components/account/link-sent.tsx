import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";

interface Props {
  /** The address as it was typed. */
  email: string;
  /** What the e-mail is good for, and for how long. */
  children: string;
  /** Whether it can be read at /dev/mail. */
  captured: boolean;
}

/**
 * Says that an e-mail is under way, the same whether or not the address has an account. It takes the
 * focus, so that nobody misses it.
 */
export function LinkSent({ email, children, captured }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    // The attribute focuses it where no script runs.
    <div className="note stack" role="status" tabIndex={-1} ref={box} autoFocus>
      <p>
        <strong>Please check your e-mail.</strong> We have sent a message to{" "}
        <strong>
          <bdi>{email}</bdi>
        </strong>
        .
      </p>
      <p>{children}</p>
      <p>Nothing there after a few minutes? Check your spam folder, and the address above.</p>
      {captured && (
        <p>
          This site sends no e-mails yet: <Link to="/dev/mail">read it here</Link>.
        </p>
      )}
    </div>
  );
}
