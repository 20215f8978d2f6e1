import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";

interface Props {
  /** The address as it was typed. */
  email: string;
  /** What the e-mail's link does, and how long it is valid. */
  children: string;
  /** Whether it can be read at /dev/mail, or could with the key. */
  captured: "open" | "closed" | "lost" | null;
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
          <bdi translate="no">{email}</bdi>
        </strong>
        .
      </p>
      <p>{children}</p>
      <p>Nothing there after a few minutes? Check your spam folder, and the address above.</p>
      {captured === "open" && (
        <p>
          This site sends no e-mails yet: <Link to="/dev/mail">read it here</Link>.
        </p>
      )}
      {captured === "closed" && (
        <p>
          This site sends no e-mails yet: read it at the address with <code>/dev/mail?key=</code>{" "}
          that its start has printed.
        </p>
      )}
    </div>
  );
}
