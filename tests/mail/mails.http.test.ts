import { Types } from "mongoose";
import { beforeEach, describe, expect, it } from "vitest";
import { devMailboxKey } from "~/mail/dev-mailbox-key.server";
import { unsubscribeUrl } from "~/mail/mail-settings.server";
import { Notification } from "#models/notification";
import { User, type UserDocument } from "#models/user";
import { call, mailsCookie, mailsPath, title, words } from "../support/app";
import { makeUser } from "../support/factories";
import { app, get, post, useApp } from "../support/shared-app";

useApp();
const HOUR = 60 * 60 * 1_000;
const ago = (ms: number) => new Date(Date.now() - ms);

const settingOf = async ({ _id }: UserDocument) => (await User.findById(_id).lean())!.reviewMails;

describe("/unsubscribe", () => {
  const pathOf = ({ _id }: { _id: Types.ObjectId }) => new URL(unsubscribeUrl(_id)).pathname;
  const ONE_CLICK = { "List-Unsubscribe": "One-Click" };
  /** The token's key is derived from the session secret, which the app and this process must share. */
  let guide: UserDocument;
  beforeEach(async () => {
    guide = await makeUser({ reviewMails: "daily" });
  });

  it("needs no log-in, and nothing but the click changes anything", async () => {
    const page = await get(pathOf(guide));
    expect([page.status, title(page)]).toEqual([200, "E-mails about your tours · Tour Reviews"]);
    expect(words(page)).toContain("You get one e-mail a day");
    expect(page.text).toContain('name="List-Unsubscribe" value="One-Click"');
    expect((await call(app, "HEAD", pathOf(guide))).status).toBe(200);
    for (const form of [{}, { "List-Unsubscribe": "no" }] as Record<string, string>[])
      expect((await post(pathOf(guide), form)).status).toBe(400);
    expect(await settingOf(guide)).toBe("daily");
  });

  it("stops the mails with one click in a mail program, and drops those that wait", async () => {
    await Notification.create({
      _id: new Types.ObjectId(),
      guideId: guide._id,
      kind: "digest",
      state: "pending",
      createdAt: ago(HOUR),
      dueAt: ago(-HOUR),
      retryUntil: ago(-49 * HOUR),
    });
    // As mail programs send it: without a cookie and without an Origin, in one of two types.
    const multipart = new FormData();
    multipart.set("List-Unsubscribe", "One-Click");
    for (const raw of [multipart, new URLSearchParams(ONE_CLICK)]) {
      const page = await call(app, "POST", pathOf(guide), { raw });
      expect(page.status).toBe(200);
      expect(words(page)).toContain("You are unsubscribed.");
      expect(words(page)).toContain("You get no e-mails");
      expect(await settingOf(guide)).toBe("none");
    }
    expect(await Notification.countDocuments()).toBe(0);
    expect((await get(pathOf(guide))).text).not.toContain("One-Click");
  });

  it("is not found for a token that is not ours, or of an account that is deleted", async () => {
    const deleted = await makeUser();
    await User.deleteOne({ _id: deleted._id });
    for (const path of [`${pathOf(guide)}A`, "/unsubscribe/nope", pathOf(deleted)])
      for (const answer of [await get(path), await post(path, ONE_CLICK)]) {
        expect(answer.status).toBe(404);
        expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
      }
    expect(await settingOf(guide)).toBe("daily");
  });
});

/** A captured e-mail about an account. */
const MAIL = {
  _id: new Types.ObjectId(),
  kind: "account" as const,
  state: "captured" as const,
  createdAt: ago(HOUR),
  dueAt: ago(HOUR),
  retryUntil: ago(-HOUR),
  endedAt: ago(HOUR),
  mail: { to: { email: "ann@example.test" }, subject: "A link", text: "It", html: "<p>It</p>" },
};

describe("/dev/mail", () => {
  it("is not found for a request that came by a proxy", async () => {
    for (const [name, value] of [
      ["X-Forwarded-For", "127.0.0.1"],
      ["Forwarded", "for=127.0.0.1"],
      ["Via", "1.1 proxy"],
    ] as const)
      for (const path of ["/dev/mail", mailsPath()]) {
        const options = { headers: { [name]: value }, cookie: mailsCookie() };
        expect([name, (await call(app, "GET", path, options)).status]).toEqual([name, 404]);
      }
    expect((await get("/dev/mail", mailsCookie())).status).toBe(200);
  });

  it("opens with the key that the start prints, which then disappears from the address", async () => {
    for (const path of [mailsPath(), mailsPath(new Types.ObjectId().toString())]) {
      const opened = await get(path);
      expect([opened.status, opened.headers.get("location")]).toEqual([
        302,
        path.replace(/key=[\w-]{43}&?/, "").replace(/\?$/, ""),
      ]);
      const [cookie] = opened.headers.getSetCookie();
      expect(cookie).toMatch(/^dev-mailbox=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/);
      expect(cookie!.split(";")[0]).toBe(mailsCookie());
    }
  });

  it("is not found without the key, with another one, or with one made from another secret", async () => {
    const { _id } = await Notification.create(MAIL);
    const path = `/dev/mail/${_id.toString()}`;
    expect((await get(path, mailsCookie())).status).toBe(200);
    const [, good] = mailsPath().split("key=");
    const another = devMailboxKey("another secret of thirty-two characters");
    for (const address of ["/dev/mail", path])
      for (const key of ["", `${good}x`, another])
        for (const answer of [
          await get(`${address}?key=${key}`),
          await get(`${address}?key=${key}&key=${good}`),
          await get(address, mailsCookie(key)),
          await get(`${address}.data?key=${key}`),
        ]) {
          expect([address, key, answer.status]).toEqual([address, key, 404]);
          expect(answer.headers.get("set-cookie")).toBeNull();
        }
  });

  it("is mentioned to a visitor without the key, but the key is not", async () => {
    const form = { email: "nora@example.test" };
    const closed = await post("/signup", form);
    expect(words(closed)).toContain("that the start of the site has printed");
    expect(closed.text).not.toContain('href="/dev/mail');
    expect((await post("/signup", form, mailsCookie())).text).toContain('href="/dev/mail"');
    const [, key] = mailsPath().split("key=");
    expect(closed.text).not.toContain(key);
    const start = app.log().length;
    const last = await get(mailsPath());
    await expect.poll(() => app.log().slice(start)).toContain(last.headers.get("x-request-id"));
    expect(app.log()).not.toContain(key);
  });
});
