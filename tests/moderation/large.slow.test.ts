import { Types } from "mongoose";
import { expect, it } from "vitest";
import { getCase, waitingCases } from "~/moderation/cases.server";
import { statementToken } from "~/moderation/links.server";
import { findCaseView } from "~/moderation/case-page.server";
import { newCase } from "~/moderation/reports/stored-report.server";
import { getMisuse } from "~/moderation/sanctions/sanction-author.server";
import { findSuspensionPath } from "~/moderation/sanctions/sanction-page.server";
import { waitingSanctions } from "~/moderation/sanctions/sanctions.server";
import { findSuspension } from "~/accounts/suspended.server";
import { Case, type CaseDocument } from "#models/case";
import { Report } from "#models/report";
import { Sanction } from "#models/sanction";
import {
  addressOf,
  caseOf,
  decideAs,
  makeCaseScene,
  openReceiptsOf,
  report,
} from "../support/cases";
import { useDatabase } from "../support/database";
import { indexInOrder, sentBy, expectReads } from "../support/explain";
import { as } from "../support/factories";

// What is read and sent for a long queue, and for a case with many reports: no more than for short ones, or for each
// batch. `npm run test:faults -- sizes` does the same with 50,000.

useDatabase();

const PAGE = 20;
const id = () => new Types.ObjectId();

const many = (count: number, fields: Partial<CaseDocument> = {}) =>
  Array.from({ length: count }, (_, n) => {
    const item = { kind: "review" as const, reviewId: id(), tourId: id(), authorId: id() };
    return {
      ...newCase({ ...item, tag: "t", snapshot: null }, new Date(n)),
      state: n % 4 ? ("open" as const) : ("appealed" as const),
      rank: n % 9 ? (1 as const) : (0 as const),
      ...fields,
    };
  });

const reportsOf = (caseId: Types.ObjectId, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    caseId,
    reason: "hateful" as const,
    words: "w",
    name: null,
    at: new Date(),
    email: n % 5 ? null : `${n}@large.test`,
  }));

it("reads a page of the queue from its index, without the words of the cases", async () => {
  await Case.insertMany(many(300, { appeals: [{ by: "author", text: "Long.", at: new Date() }] }));
  for (let after: string | null = null, page = 0; page < 3; page++) {
    const sent = await sentBy(async () => ({ next: after } = await waitingCases(after)));
    expect(sent.length).toBeLessThanOrEqual(2 * 2 * 2 + 1);
    await expectReads(sent, PAGE + 1);
    for (const one of sent.filter(({ command }) => command.sort)) {
      expect(indexInOrder(one)).toBeDefined();
      expect(one.command.limit).toBe(PAGE + 1);
      expect(Object.keys(one.command.projection as object)).not.toContain("appeals");
    }
  }
});

it("shows, joins and decides about a case with many reports as it does with few", async () => {
  const { review, operator } = await makeCaseScene();
  await report(addressOf(review));
  const found = await caseOf(review);
  await Case.insertMany(many(100));
  const measure = async () => {
    const show = await sentBy(() => getCase(as(operator), found._id.toString()));
    await expectReads(show, PAGE + 1);
    const { next } = (await getCase(as(operator), found._id.toString())).reported;
    if (next)
      await expectReads(
        await sentBy(() => getCase(as(operator), found._id.toString(), { after: next })),
        PAGE + 1,
      );
    await expectReads(await sentBy(() => findCaseView(statementToken(found._id))), 1);
    const join = await sentBy(() => report(addressOf(review)));
    await expectReads(join, 1);
    return { show: show.length, join: join.length };
  };
  // Names are remembered from then on.
  await measure();
  const few = await measure();
  await Report.insertMany(reportsOf(found._id, 300));
  expect(await measure()).toEqual(few);
  const sent = await sentBy(() => decideAs(operator, found, { action: "remove" }));
  // The three reviews of the tour are counted.
  await expectReads(sent, PAGE + 1);
});

it("reads of warnings and suspensions those of whom it is about, however many others there are", async () => {
  const { review, operator } = await makeCaseScene();
  await report(addressOf(review), { email: "rita@example.test" });
  const found = await caseOf(review);
  await decideAs(operator, found, { action: "keep" });
  await openReceiptsOf("rita@example.test");
  const [at, until] = [new Date(), new Date(Date.now() + 3_600_000)];
  await Sanction.insertMany(
    Array.from({ length: 600 }, (_, n) => ({
      subject: id().toString(),
      scope: n % 2 ? ("account" as const) : ("reports" as const),
      kind: "suspension" as const,
      number: 1,
      at,
      until,
      address: `hash ${n}`,
      operatorId: id(),
      caseId: id(),
      waitsSince: new Date(n + 1),
      endsAt: until,
    })),
  );
  const { _id: reportId } = await Report.findOne({ caseId: found._id }).orFail();
  for (const of of [null, reportId.toString()])
    await expectReads(await sentBy(() => getMisuse(as(operator), found._id.toString(), of)), 20);
  await expectReads(await sentBy(() => waitingSanctions()), 20);
  await expectReads(await sentBy(() => findSuspension({ address: "hash 7" }, at)), 1);
  await expectReads(await sentBy(() => findSuspensionPath(id().toString())), 1);
  await expectReads(
    await sentBy(() =>
      findSuspension({ subject: { $in: [id().toString(), "a hash"] }, scope: "reports" }, at),
    ),
    2,
  );
});
