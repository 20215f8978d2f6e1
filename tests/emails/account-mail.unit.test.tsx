import { describe, expect, it, test } from "vitest";
import {
  type AccountMailInputs,
  type AccountMailKind,
  renderAccountMail,
} from "#emails/account-mail";

// The e-mails about an account as their readers get them.

const SITE = {
  to: "ann@example.test",
  appUrl: "https://tours.example.test",
  contact: "help@example.test",
  timeZone: "UTC",
};
const LINK = `${SITE.appUrl}/reset/a-token`;
const newEmail = "new@example.test";
const INPUTS: AccountMailInputs = {
  signUp: { url: LINK },
  hasAccount: {},
  reset: { url: LINK },
  noAccount: {},
  passwordChanged: { tokensRevoked: false },
  tokenCreated: { tokenName: "Laptop", expiresAt: new Date(0) },
  newAddress: { url: LINK },
  addressAskedFor: { newEmail },
  addressChanged: { newEmail },
  changedByPlatform: { password: true, newEmail },
  accountDeleted: { byOperator: false, written: "reviews" },
};
const KINDS = Object.keys(INPUTS) as AccountMailKind[];

/** The e-mail, and its text on one line. */
function render<Kind extends AccountMailKind>(
  kind: Kind,
  inputs: Partial<AccountMailInputs[Kind]> = {},
  site: Partial<typeof SITE> & { name?: string } = {},
) {
  const mail = renderAccountMail(kind, { ...INPUTS[kind], ...inputs }, { ...SITE, ...site });
  return { ...mail, line: mail.text.replaceAll("\n", " ") };
}
const linksOf = (html: string) => [...html.matchAll(/\shref="([^"]*)"/g)].map(([, href]) => href);

describe.each(KINDS)("%s", (kind) => {
  it("has a subject of one line, greets, and says to whom it went", () => {
    const { subject, html, text } = render(kind, {}, { name: "Ann <b>Bold</b>" });
    expect(subject).toMatch(/^[A-Z][^\n]{10,60}$/);
    expect(text.startsWith("Hello Ann <b>Bold</b>,\n")).toBe(true);
    for (const content of [html, text]) expect(content).toContain("went to ann@example.test.");
    // A user's name stays text.
    expect(html).not.toContain("<b>");
    expect(render(kind).text).toMatch(/^Hello,\n/);
  });

  it("has the same links in both, each of this site, and none that stops it", () => {
    const { html, text } = render(kind);
    const links = linksOf(html);
    for (const link of links) {
      expect(link).toMatch(/^https:\/\/tours\.example\.test\//);
      expect(text).toContain(link);
    }
    expect(html + text).not.toMatch(/unsubscribe|stop them/);
    if ("url" in INPUTS[kind]) expect(links).toEqual([LINK]);
  });
});

const PAGE = `${SITE.appUrl}/contact`;

test.each([
  [SITE.contact, `Write to them at once, from this address: ${SITE.contact}`],
  [PAGE, `Tell them at once, and name this address: ${PAGE}`],
])("a changed address says what to do about another's change: %s", (contact, words) => {
  const { line, html } = render("addressChanged", {}, { contact });
  expect(line).toMatch(/If that was not you, /);
  expect(line).toContain(words);
  // The page is a link without what follows it.
  expect(linksOf(html)).toEqual(contact === PAGE ? [PAGE] : []);
});

test.each([
  [false, SITE.contact, "If that was not you, someone knows your password"],
  [true, PAGE, "was deleted just now by the people who run this site"],
])("a deleted account says who deleted it (operator: %s; %s)", (byOperator, contact, words) => {
  const { line, html } = render("accountDeleted", { byOperator }, { contact });
  for (const content of [html, line])
    for (const said of [words, "write to the people who run this site: ", contact])
      expect(content).toContain(said);
});

test("a name that looks like an address is no link", () => {
  const name = "https://elsewhere.example/tours.example.test";
  const { html } = render("tokenCreated", { tokenName: name }, { name });
  expect(linksOf(html)).toEqual([`${SITE.appUrl}/me/account`, `${SITE.appUrl}/reset`]);
});

test.each([
  ["UTC", "valid until 30 November 2026."],
  ["Asia/Tokyo", "valid until 1 December 2026."],
])("the last day of a token is one of the site's zone (%s)", (timeZone, words) => {
  const expiresAt = new Date("2026-11-30T22:30Z");
  const { line, html } = render("tokenCreated", { expiresAt }, { timeZone });
  for (const content of [html, line]) expect(content).toContain(words);
});
