import { useLocation } from "@remix-run/react";

/** The field of a request that wants a form with the address in it, and nothing done. */
export const SHOW_FORM = "show";

/** The address is sent in the body, because addresses of pages are logged. */
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
