import { expect, it, test } from "vitest";
import { deleteAccount } from "~/personal-data/deletion.server";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import { findUser } from "~/accounts/users.server";
import { noteVisit, VISIT_MS } from "~/guides/guide-visits.server";
import { GuideVisit } from "#models/guide-visit";
import { useDatabase } from "../support/database";
import { as, makeUser, PASSWORD } from "../support/factories";
import { exportOf } from "../support/services";
import { atTime, setTime } from "../support/time";

useDatabase();

const START = Date.now();
const DAY = 24 * 60 * 60 * 1_000;
const at = (ms: number) => new Date(START + ms);

it("finds new what came since the visit before, which ends after half an hour without a request", async () => {
  const guide = await makeUser();
  const visit = (ms: number) => atTime(at(ms), () => noteVisit(as(guide)));
  const week = at(-7 * DAY).toISOString();
  expect(await visit(0)).toBe(week);
  expect(await visit(VISIT_MS - 1)).toBe(week);
  expect(await visit(2 * VISIT_MS - 2)).toBe(week);
  // A page was read some time before its visit was noted.
  const ended = at(2 * VISIT_MS - 2 - 30_000).toISOString();
  expect(await visit(3 * VISIT_MS - 2)).toBe(ended);
  expect(await visit(3 * VISIT_MS)).toBe(ended);
});

it("is one visit for requests at the same time, also the first ones", async () => {
  const guide = await makeUser();
  setTime(START);
  const visit = () => noteVisit(as(guide));
  const week = at(-7 * DAY).toISOString();
  expect(await Promise.all([visit(), visit(), visit()])).toEqual([week, week, week]);
  expect(await GuideVisit.countDocuments()).toBe(1);
});

test("a visit is in the guide's data, and is deleted with the account", async () => {
  const [ann, bob] = [await makeUser(), await makeUser()];
  setTime(START);
  for (const guide of [ann, bob]) await noteVisit(as(guide));
  const user = (await findUser(ann._id.toString()))!;
  expect((await exportOf(user)).guideVisits).toEqual([
    { since: at(-7 * DAY).toISOString(), seenAt: at(0).toISOString() },
  ]);
  await deleteAccount(user, { password: PASSWORD });
  await continueDeletions();
  expect((await GuideVisit.find().lean()).map(({ _id }) => _id)).toEqual([bob._id]);
});
