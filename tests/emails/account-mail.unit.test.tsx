import { describe, expect, it, test } from "vitest";
import {
  type AccountMailInputs,
  type AccountMailKind,
  renderAccountMail,
} from "#emails/account-mail";

// The e-mails about an account as their readers get them.

const SITE = "https://tours.example.test";
const LINK = `${SITE}/reset/a-token`;
const name = "Ann <b>Bold</b>";
const newEmail = "new@example.test";
const CONTACT = "help@example.test";
const INPUTS: AccountMailInputs = {
  signUp: { url: LINK },
  hasAccount: { name, appUrl: SITE },
  reset: { name, url: LINK },
  noAccount: { appUrl: SITE },
  passwordChanged: { name, appUrl: SITE, tokensRevoked: false },
  tokenCreated: {
    name,
    tokenName: "Laptop",
    expiresAt: new Date(0),
    timeZone: "UTC",
    appUrl: SITE,
  },
  newAddress: { url: LINK },
  addressAskedFor: { name, newEmail, appUrl: SITE },
  addressChanged: { name, newEmail, contact: CONTACT },
  accountDeleted: { name, byOperator: false, written: "reviews", contact: CONTACT },
};
const KINDS = Object.keys(INPUTS) as AccountMailKind[];
const render = (kind: AccountMailKind) =>
  renderAccountMail(kind, INPUTS[kind], { to: "ann@example.test", appUrl: SITE });
const linksOf = (html: string) => [...html.matchAll(/\shref="([^"]*)"/g)].map(([, href]) => href);

describe.each(KINDS)("%s", (kind) => {
  it("has a subject of one line, greets, and says to whom it went", async () => {
    const { subject, html, text } = await render(kind);
    expect(subject).toMatch(/^[A-Z][^\n]{10,60}$/);
    const greeting = "name" in INPUTS[kind] ? `Hello ${name},` : "Hello,";
    expect(text.startsWith(`${greeting}\n`)).toBe(true);
    for (const content of [html, text]) expect(content).toContain("went to ann@example.test.");
    // What a user is called stays text.
    expect(html).not.toContain("<b>");
  });

  it("has the same links in both, each of this site, and none that stops it", async () => {
    const { html, text } = await render(kind);
    const links = linksOf(html);
    for (const link of links) {
      expect(link).toMatch(/^https:\/\/tours\.example\.test\//);
      expect(text).toContain(link);
    }
    expect(html + text).not.toMatch(/unsubscribe|stop them/);
    if ("url" in INPUTS[kind]) expect(links).toEqual([LINK]);
  });
});

test.each<AccountMailKind>(["signUp", "newAddress", "noAccount"])(
  "%s, to an address that nobody has proven, is made from nothing that a stranger could choose",
  (kind) => {
    expect(Object.keys(INPUTS[kind])).toEqual([expect.stringMatching(/^(url|appUrl)$/)]);
  },
);

const PAGE = `${SITE}/contact`;

test.each([
  [CONTACT, `Write to them at once, from this address: ${CONTACT}`],
  [PAGE, `Tell them at once, and name this address: ${PAGE}`],
])(
  "a changed address says what to do about a change by somebody else: %s",
  async (contact, words) => {
    const inputs = { name, newEmail, contact };
    const mail = await renderAccountMail("addressChanged", inputs, {
      to: "a@b.test",
      appUrl: SITE,
    });
    expect(mail.text.replaceAll("\n", " ")).toMatch(/If that was not you, /);
    expect(mail.text.replaceAll("\n", " ")).toContain(words);
    // The page is a link without what follows it.
    expect(linksOf(mail.html)).toEqual(contact === PAGE ? [PAGE] : []);
  },
);

test.each([
  [false, CONTACT, "If that was not you, someone knows your password"],
  [true, PAGE, "was deleted just now by the people who run this site"],
])(
  "a deleted account says who deleted it (an operator: %s; %s)",
  async (byOperator, contact, words) => {
    const inputs = { name, byOperator, written: "", contact };
    const mail = await renderAccountMail("accountDeleted", inputs, {
      to: "a@b.test",
      appUrl: SITE,
    });
    for (const content of [mail.html, mail.text.replaceAll("\n", " ")]) {
      expect(content).toContain(words);
      expect(content).toMatch(/write to the people who run this site: /);
      expect(content).toContain(contact);
    }
  },
);

test("a name that looks like an address is no link", async () => {
  const foreign = "https://elsewhere.example/tours.example.test";
  const inputs = {
    name: foreign,
    tokenName: foreign,
    expiresAt: null,
    timeZone: "UTC",
    appUrl: SITE,
  };
  const mail = await renderAccountMail("tokenCreated", inputs, { to: "a@b.test", appUrl: SITE });
  expect(linksOf(mail.html)).toEqual([`${SITE}/me/account`, `${SITE}/reset`]);
});

test.each([
  ["UTC", "valid until 30 November 2026."],
  ["Asia/Tokyo", "valid until 1 December 2026."],
])("the last day of a token is one of the site's zone (%s)", async (timeZone, words) => {
  const inputs = {
    name,
    tokenName: "Laptop",
    appUrl: SITE,
    expiresAt: new Date("2026-11-30T22:30Z"),
    timeZone,
  };
  const mail = await renderAccountMail("tokenCreated", inputs, { to: "a@b.test", appUrl: SITE });
  for (const content of [mail.html, mail.text.replaceAll("\n", " ")])
    expect(content).toContain(words);
});
