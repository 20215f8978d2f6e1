import { Link } from "@remix-run/react";
import { APPEAL_MONTHS } from "~/ui/labels";
import { CopyButton } from "~/ui/browser/copy-button";

export function ReceiptNote({ link, wasMailed }: { link: string; wasMailed: boolean }) {
  return (
    <div className="note stack">
      <p>
        {wasMailed
          ? "We have also e-mailed this link to the address that you gave. Anyone who has it can appeal in your place."
          : "Save the link to this page: it is the only way back here. Anyone who has it can appeal in your place."}
      </p>
      <CopyButton text={link}>Copy the link</CopyButton>
    </div>
  );
}

export function NextSteps({ wasMailed }: { wasMailed: boolean }) {
  return (
    <section className="stack" aria-labelledby="next">
      <h2 id="next">Next steps</h2>
      <ol>
        <li>A person reads your report. Danger to somebody’s life or safety comes first.</li>
        <li>
          {"The person decides by "}
          <Link to="/about/reviews">our rules</Link>
          <span>
            {wasMailed
              ? " and tells you why, on this page and by e-mail."
              : " and tells you why on this page."}
          </span>
        </li>
        <li>{`If you think that the decision is wrong, you can appeal here within ${APPEAL_MONTHS} months.`}</li>
      </ol>
    </section>
  );
}
