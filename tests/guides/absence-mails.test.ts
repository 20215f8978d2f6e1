import { Types } from "mongoose";
import { expect, test } from "vitest";
import type { AbsenceDocument } from "#models/absence";
import { inTransaction } from "~/db/transaction.server";
import { queueAbsence, queueObjection } from "~/guides/departures/absence-mails.server";
import { useDatabase } from "../support/database";
import { makeTour, makeUser } from "../support/factories";
import { subjectsTo } from "../support/mail";

useDatabase();

test("subjects with two long names say what the e-mails are about", async () => {
  const [explorer, guide] = [
    await makeUser({ name: "Ann ".repeat(120) }),
    await makeUser({ name: "Gwen" }),
  ];
  const tour = await makeTour({ title: "Old town walk ".repeat(35) });
  const absence = { _id: new Types.ObjectId(), date: null } as unknown as AbsenceDocument;
  const said = { absence, explorer, guide, tour };
  await inTransaction((session) => queueAbsence({ ...said, until: new Date() }, session));
  await inTransaction((session) => queueObjection(said, session));
  const [asked] = await subjectsTo(explorer.email);
  expect(asked).toBe(`Were you at ${"Old town walk ".repeat(7)}…?`);
  const [told] = await subjectsTo(guide.email);
  expect(told).toMatch(/^(Ann )+… says that they came to (Old town walk )+(Old town )?…$/);
  for (const subject of [asked, told]) expect(subject!.length).toBeLessThanOrEqual(150);
});
