import { useLocation } from "@remix-run/react";

/** The field of a request that wants a form with the address in it, and nothing done. */
export const SHOW_FORM = "show";

/**
 * A button in a form with an address, which opens the form at the path `to` with that address in it. The address is
 * sent in the body, because addresses of pages are logged.
 */
export function OtherForm({ to, children }: { to: string; children: string }) {
  const { search } = useLocation();
  return (
    <button
      type="submit"
      className="link-button"
      name={SHOW_FORM}
      value="form"
      formAction={to + search}
      formMethod="post"
      formNoValidate
    >
      {children}
    </button>
  );
}
