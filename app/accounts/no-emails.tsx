import { useErrorTitle } from "~/ui/browser/error-title";

interface Props {
  /** Whether such a form was sent all the same. */
  refused: boolean;
  children: string;
}

/** Stands instead of a form that would send a link, on a site whose e-mails do not arrive. */
export function NoEmails({ refused, children }: Props) {
  useErrorTitle(refused);
  return (
    <div className="note stack" role={refused ? "alert" : undefined}>
      <p>
        <strong>This site sends no e-mails at the moment.</strong>
      </p>
      <p>{children}</p>
    </div>
  );
}
