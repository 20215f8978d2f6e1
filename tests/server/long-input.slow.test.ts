import { afterEach, expect, test, vi } from "vitest";
import { Types } from "mongoose";
import { safeRedirect } from "~/server/redirects.server";
import { BODY_LIMIT } from "~/server/guard/body.server";
import { requestAddressChange } from "~/accounts/address.server";
import { deleteAccount } from "~/personal-data/deletion.server";
import { logIn } from "~/accounts/log-in/log-in.server";
import { changePassword } from "~/accounts/log-in/passwords.server";
import { requestReset, resetPassword } from "~/accounts/log-in/password-reset.server";
import { updateProfile } from "~/me/profile.server";
import { requestSignUp, signUp } from "~/accounts/log-in/sign-up.server";
import { createTokenFor, revokeToken } from "~/accounts/tokens.server";
import { findUser } from "~/accounts/users.server";
import { decideSanction } from "~/moderation/sanctions/sanctions.server";
import { decide } from "~/moderation/decide.server";
import { sanctionToken, statementToken } from "~/moderation/links.server";
import { sanction } from "~/moderation/sanctions/sanction-author.server";
import { findReported, reportItem } from "~/moderation/reports/report.server";
import { appealSanction } from "~/moderation/sanctions/sanction-page.server";
import { appeal } from "~/moderation/case-page.server";
import { setMails } from "~/mail/mail-settings.server";
import { postReview } from "~/reviews/post.server";
import { putReply } from "~/reviews/replies/reply.server";
import { editReview } from "~/reviews/edit.server";
import { completeDeparture, undoCompletion } from "~/guides/departures/completions.server";
import { indexedWords, searchedWords } from "~/search/search-words.server";
import { RateLimitCount } from "#models/rate-limit";
import { tokenTo } from "../support/mail";
import { useDatabase } from "../support/database";
import { as, makeBookedExplorer, makeTour, makeUser, PASSWORD } from "../support/factories";
import { HOME } from "../support/services";

// A field of 64 KiB, the most that a body may hold, is refused by its length: no pattern, no normalization and no
// comparison by Unicode's rules sees it, whose time may grow with the square of the length.

useDatabase();
afterEach(() => vi.restoreAllMocks());

/** Far less than a body; the thousand characters of a search that count may become eighteen times as many. */
const ENOUGH = 20_000;

const filled = (text: string) => text.repeat(Math.ceil(BODY_LIMIT / text.length));
const half = (text: string) => text.repeat(BODY_LIMIT / 4);
const WORST: Record<string, string> = {
  "many @": filled("@"),
  // Each of the second half is put in order before all of the first.
  "accents in the wrong order": `a${half("\u0301")}${half("\u0316")}`,
  "an address of accents": `a@${half("\u0301")}${half("\u0316")}.example`,
  "spaces before the end": `a${filled(" ")}a`,
  "what shows nothing": `a${filled("\u200b")}`,
  "addresses in addresses": `${filled(`/reviews/${"a".repeat(24)}/`)}#\n.`,
};

/**
 * The length of the longest text that a pattern was tried on, or that was normalized or read as an address,
 * during `work`. A pattern that repeats nothing, such as zod's for counting characters, cannot take long.
 */
async function longestSeen(work: () => unknown): Promise<number> {
  let longest = 0;
  const see = (text: unknown) => (longest = Math.max(longest, String(text).length));
  const { normalize } = String.prototype;
  const { exec } = RegExp.prototype;
  const { canParse } = URL;
  vi.spyOn(String.prototype, "normalize").mockImplementation(function (this: string, form) {
    see(this);
    return normalize.call(this, form);
  });
  vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, text) {
    if (["*", "+", "{"].some((repeats) => this.source.includes(repeats))) see(text);
    return exec.call(this, text);
  });
  // Names of hosts are normalized, too.
  vi.spyOn(URL, "canParse").mockImplementation((url) => {
    see(url);
    return canParse(url);
  });
  try {
    await work();
  } finally {
    vi.restoreAllMocks();
  }
  return longest;
}

/** Each text goes into each field, and some of these forms hash a password. */
const LONG = { timeout: 300_000 };

const HERE = { completion: "automatic" } as const;

/** Every field that somebody can send, by what takes it. */
async function fields(): Promise<Record<string, (text: string) => unknown>> {
  const tour = await makeTour();
  const ann = await makeBookedExplorer(tour);
  const user = (await findUser(ann._id.toString()))!;
  const tourId = tour._id.toString();
  const { review } = await postReview(as(ann), { tourId, rating: 5 });
  const from = { clientAddress: HOME, redirectTo: "/" };
  await requestSignUp({ email: "new@example.test" }, from);
  await requestReset({ email: ann.email }, HOME);
  const signUpToken = await tokenTo("new@example.test", "sign-up");
  const resetToken = await tokenTo(ann.email, "reset");
  const good = { name: "Ann", password: "seven blue boats", newPassword: "seven blue boats" };
  const account = { tokenName: "x", expiry: "none", currentPassword: PASSWORD };
  const bob = as(await makeUser());
  const url = `/reviews/${review.id}`;
  const item = { url, reason: "personal-data", words: "x", name: "", email: "" };
  const reported = (field: string) => (text: string) =>
    reportItem(null, { ...item, goodFaith: "yes", [field]: text }, HOME);
  const id = new Types.ObjectId();
  const decision = { action: "keep", ground: "allowed", explanation: "x", reference: "" };
  const decided = (field: string) => (text: string) =>
    decide(bob, id.toString(), { ...decision, version: 1, tag: "", [field]: text });
  const warning = { kind: "warning", number: 1, days: 7, explanation: "x" };
  const warned = (field: string) => (text: string) =>
    sanction(bob, { caseId: id.toString(), reportId: null }, { ...warning, [field]: text });
  return {
    "log-in: email": (text) => logIn(text, "x", HOME),
    "log-in: password": (text) => logIn(ann.email, text, HOME),
    redirectTo: (text) => safeRedirect(`/${text}`),
    "sign-up: email": (email) => requestSignUp({ email }, from),
    "sign-up: name": (name) => signUp(signUpToken, { ...good, name }, HOME),
    "sign-up: password": (password) => signUp(signUpToken, { ...good, password }, HOME),
    "reset: email": (email) => requestReset({ email }, HOME),
    "reset: newPassword": (newPassword) =>
      resetPassword(resetToken, { newPassword, revokeTokens: false }, HOME),
    "profile: name": (name) => updateProfile(user, { name, image: "" }),
    "profile: image": (image) => updateProfile(user, { name: "Ann", image }),
    "address: newEmail": (newEmail) =>
      requestAddressChange(user, { newEmail, currentPassword: PASSWORD }, HOME),
    "address: currentPassword": (currentPassword) =>
      requestAddressChange(user, { newEmail: "x@example.test", currentPassword }, HOME),
    "password: newPassword": (newPassword) =>
      changePassword(user, { currentPassword: PASSWORD, newPassword }),
    "password: currentPassword": (currentPassword) =>
      changePassword(user, { currentPassword, newPassword: "seven blue boats" }),
    "token: tokenName": (tokenName) => createTokenFor(user, { ...account, tokenName }),
    "token: expiry": (expiry) => createTokenFor(user, { ...account, expiry }),
    "token: tokenId": (tokenId) => revokeToken(user, tokenId),
    "deletion: password": (password) => deleteAccount(user, { password }),
    "mails: reviewMails": (choice) => setMails(user.id, "reviews", choice),
    "departure: tourId": (text) => completeDeparture(bob, { tourId: text, date: null }, HERE),
    "departure: date": (date) =>
      completeDeparture(as({ _id: tour.createdById }), { tourId, date }, HERE),
    "undo: completion": (text) => undoCompletion(bob, text, HERE),
    "review: tourId": (text) => postReview(bob, { tourId: text, rating: 5 }),
    "review: rating": (rating) => postReview(bob, { tourId, rating }),
    "review: comment": (comment) => postReview(bob, { tourId, rating: 5, comment }),
    "review: id": (text) => editReview(as(ann), text, { rating: 4 }),
    "edit: comment": (comment) => editReview(as(ann), review.id, { comment }),
    "report: url shown": (text) => findReported(text),
    "report: url": reported("url"),
    "report: reason": reported("reason"),
    "report: words": reported("words"),
    "report: name": reported("name"),
    "report: email": reported("email"),
    "appeal: words": (words) => appeal(statementToken(id), { words }, HOME),
    "appeal of a sanction: words": (words) => appealSanction(sanctionToken(id), { words }, HOME),
    "reply: text": (text) => putReply(bob, review.id, { text }),
    "decision: explanation": decided("explanation"),
    "decision: reference": decided("reference"),
    "decision: tag": decided("tag"),
    "warning: explanation": warned("explanation"),
    "outcome: explanation": (explanation) =>
      decideSanction(bob, id.toString(), { appealed: "no", outcome: "taken back", explanation }),
    search: (text) => searchedWords(text.trim(), () => false),
  };
}

test(
  "no pattern and no normalization sees what is longer than its field may be",
  LONG,
  async () => {
    const seen: string[] = [];
    for (const [name, send] of Object.entries(await fields()))
      for (const [what, text] of Object.entries(WORST)) {
        // Refused, as it should be.
        const sent = async () =>
          void (await Promise.resolve(text)
            .then(send)
            .catch(() => {}));
        await RateLimitCount.deleteMany({});
        if ((await longestSeen(sent)) > ENOUGH) seen.push(`${name}: ${what}`);
      }
    expect(seen).toEqual([]);
    // It would be noticed.
    expect(await longestSeen(() => indexedWords(WORST["many @"]!))).toBeGreaterThan(ENOUGH);
    expect(await longestSeen(() => /a+/.test(WORST["many @"]!))).toBeGreaterThan(ENOUGH);
  },
);
