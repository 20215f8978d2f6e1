import { expect, test } from "vitest";
import {
  findCapturedMail,
  listCapturedMails,
} from "~/services/notifications/captured-mails.server";
import { OutboxWorker } from "~/services/notifications/delivery.server";
import { clock, enqueue, stored, useOutbox } from "../../support/mail";

useOutbox();

test("without SendGrid, mails are kept and can be looked at", async () => {
  const id = await enqueue();
  await new OutboxWorker(null, { clock }).drain();
  expect((await stored(id)).state).toBe("captured");
  const [mail] = await listCapturedMails();
  expect(mail).toMatchObject({ id: id.toString(), to: "gwen@example.test" });
  expect(mail!.subject).toContain("Old Town Walk");
  expect(await findCapturedMail(id.toString())).toEqual(mail);
  expect(await findCapturedMail("nope")).toBeNull();
});
