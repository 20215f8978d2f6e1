import { Link } from "@remix-run/react";
import { Section } from "./about-section";

export function RulesOfReports() {
  return (
    <>
      <Section id="report">
        <p>
          Anybody can <Link to="/report">report a review or a reply</Link>, with an account or
          without. Say which one it is, what is wrong with it and how you know.
        </p>
        <ol>
          <li>You get a page as a receipt. Save its link: it shows what became of your report.</li>
          <li>A person looks at it. Danger to somebody’s life or safety comes first.</li>
          <li>The person decides by these rules, and says why.</li>
          <li>
            If you gave an e-mail address, we send the receipt and the decision there, once for each
            review or reply. We tell the author what was decided, but never who reported it.
          </li>
        </ol>
        <p>Please report only what you believe to be true.</p>
      </Section>
      <Section id="operators">
        <p>
          Operators are people whom those who run this site have named. They decide about reports.
          Decisions are made by people, not software. For each decision they name the rule and
          explain it. They can
        </p>
        <ul>
          <li>keep a review or a reply as it is;</li>
          <li>remove the words of a review: it then says so, and its rating still counts;</li>
          <li>
            remove a review or a reply: it is no longer shown. The rating of a removed review no
            longer counts, and the average of the tour is calculated anew;
          </li>
          <li>show again what was removed, as it was;</li>
          <li>do what an authority or a court has ordered. The decision then names the order.</li>
        </ul>
        <p>They may not</p>
        <ul>
          <li>decide about their own tour, review, reply or report;</li>
          <li>
            remove a review for its low rating or its harsh opinion, or because the guide wants it;
          </li>
          <li>post, edit or delete a review for somebody, or change a rating.</li>
        </ul>
      </Section>
      <Section id="appeals">
        <p>
          The author and whoever reported it can each appeal once, within six months after the
          decision. This takes the link in our e-mail or the page of the receipt, and no log-in.
          Another operator decides about the appeal, where there is one.
        </p>
        <p>
          You can also go to court where you live, or within the European Union to a certified body
          for out-of-court disputes, without an appeal before.
        </p>
      </Section>
      <Section id="misuse">
        <p>
          Most people who break a rule do so once. Anyone who repeatedly breaks these rules, or
          repeatedly reports what is plainly allowed, is warned first. If it goes on within twelve
          months, an operator can suspend the account, or refuse further reports from them, for 7 to
          180 days. Operators weigh how often it happened, how grave it was and whether it was
          meant, and say so.
        </p>
        <p>
          An account that is suspended cannot be logged in to, and its access tokens do not work.
          What was written with it stays. Our e-mail has a link with which its owner can download
          the data, delete the account and appeal, without a log-in.
        </p>
        <p>
          Against a warning and against a suspension there is one appeal within six months; another
          operator decides about it, where there is one.
        </p>
      </Section>
      <Section id="kept">
        <p>
          We keep what was removed, the reports with the names and addresses in them, the
          explanations of decisions and the appeals until six months after the last decision, so
          that a mistake can be undone. Then we remove all these words. Where nobody decides, we
          remove the words, names and addresses twelve months after the first report. We keep those
          of the first 1,000 reports of a review or reply. The author of a removed review can have
          it deleted for good before that. We keep the words of a warning for twelve months, of a
          suspension until it is over and nobody can appeal any more.
        </p>
        <p>
          A log of all decisions stays. It has no words and no names: only what was decided about
          which review, when and on which ground. The figures below come from it.
        </p>
        <p>
          That a guide says that an explorer did not come, and that the explorer objects, is kept
          for a year.
        </p>
      </Section>
    </>
  );
}
