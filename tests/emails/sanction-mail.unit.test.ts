import { expect, it } from "vitest";
import { renderSanction, type SanctionMail } from "#emails/sanction-mail";

/** As text, on one line: where it is broken is the layout's business. */
async function render(mail: SanctionMail) {
  const { subject, text, html } = await renderSanction(mail, SITE);
  return { subject, text: text.replace(/\s+/g, " "), html };
}

const SITE = {
  to: "ann@example.test",
  appUrl: "https://tours.example.com",
  timeZone: "Asia/Tokyo",
  contact: "mailto:help@example.test",
};
const MAIL: SanctionMail = {
  name: "Ann <b>",
  title: "Your account is suspended",
  effect: "You cannot log in.",
  until: new Date("2026-12-03T20:00:00Z"),
  explanation: "Three numbers.\n\nIn a week.",
  outcome: null,
  appealUntil: new Date("2027-05-26T10:00:00Z"),
  isAccount: true,
  url: `${SITE.appUrl}/sanctions/TOKEN`,
  ruleUrl: `${SITE.appUrl}/about/reviews#misuse`,
};

it("says what, until when by the site's clocks, why, by which rule, and what can be done", async () => {
  const { subject, text, html } = await render(MAIL);
  expect(subject).toBe("Your account is suspended until 4 December 2026");
  for (const words of [
    "Your account is suspended until 4 December 2026. You cannot log in.",
    "Three numbers. In a week.",
    "The rule: https://tours.example.com/about/reviews#misuse",
    "See the decision: https://tours.example.com/sanctions/TOKEN",
    "download your data and delete your account",
    "tell us why by 26 May 2027",
    "go to court",
    "Decisions are made by people, not software.",
  ])
    expect(text).toContain(words);
  expect(html).not.toContain("<b>");
});

it("tells what became of an appeal, against which there is no other one", async () => {
  const of = (outcome: SanctionMail["outcome"]) => render({ ...MAIL, outcome, appealUntil: null });
  const stands = await of({ stands: true, onAppeal: true });
  expect(stands.subject).toBe("Our decision: your account is suspended until 4 December 2026");
  expect(stands.text).toContain("We looked at your appeal, and the decision stands.");
  expect(stands.text).toContain("There is no further appeal with us.");
  expect(stands.text).toContain("download your data");
  const changed = await of({ stands: false, onAppeal: true });
  expect(changed.text).toContain("changed the decision. It is taken back, and no longer counts.");
  expect(changed.text).not.toContain("download your data");
  expect((await of({ stands: false, onAppeal: false })).text).toContain(
    "We looked at our decision again.",
  );
});
