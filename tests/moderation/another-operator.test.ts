import { expect, it } from "vitest";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { toCurrentUser } from "~/accounts/users.server";
import { getCase } from "~/moderation/cases.server";
import { makeOperator } from "~/moderation/operators.server";
import { decideSanction, getSanction } from "~/moderation/sanctions/sanctions.server";
import { Case } from "#models/case";
import { Sanction } from "#models/sanction";
import { User, type UserDocument } from "#models/user";
import {
  addressOf,
  caseOf,
  decideAs,
  decideBy,
  formOf,
  makeCaseScene,
  newOperator,
  report,
} from "../support/cases";
import { useDatabase } from "../support/database";
import { as, makeUser } from "../support/factories";

// About an appeal against their own decision an operator decides only where no other one can (docs/rules/moderation.md,
// Decisions and Misuse).

useDatabase();

const ANOTHER = "Another operator decides about an appeal against your decision.";
const DAY_MS = 24 * 60 * 60 * 1_000;

type Scene = Awaited<ReturnType<typeof appealed>>;

/** A decision that is appealed against, and an operator beside the one who decided. */
async function appealed() {
  const scene = await makeCaseScene();
  const reporter = await makeUser({ name: "Rita" });
  await report(addressOf(scene.review), {}, reporter);
  const found = await caseOf(scene.review);
  await decideAs(scene.operator, found, { action: "keep" });
  await Case.updateOne({ _id: found._id }, { state: "appealed" });
  return { ...scene, found, reporter, second: await newOperator() };
}

const suspend = ({ _id }: UserDocument, ms: number) =>
  User.updateOne({ _id }, { suspendedUntil: new Date(Date.now() + ms) });

/** Instead of the second operator, it is somebody whom the case concerns. */
const onlyOther = async ({ second }: Scene, user: UserDocument) => {
  await User.deleteOne({ _id: second._id });
  await makeOperator(user.email);
};

const UNABLE = [
  ["is suspended", ({ second }: Scene) => suspend(second, DAY_MS)],
  ["has deleted the account", ({ second }: Scene) => deleteAccountOf(toCurrentUser(second))],
  [
    "has no account any more, because the platform has deleted it",
    ({ second }: Scene) => User.deleteOne({ _id: second._id }),
  ],
  ["wrote the review", (scene: Scene) => onlyOther(scene, scene.author)],
  ["leads the tour", (scene: Scene) => onlyOther(scene, scene.guide)],
  ["reported the review", (scene: Scene) => onlyOther(scene, scene.reporter)],
] as const;

it.each(UNABLE)("the same operator decides when the only other one %s", async (_, happens) => {
  const scene = await appealed();
  const { operator, found } = scene;
  const refusal = async () => (await getCase(as(operator), found._id.toString())).refusal;
  expect(await refusal()).toBe(ANOTHER);
  await happens(scene);
  expect(await refusal()).toBeNull();
  await decideAs(operator, found, { action: "keep" });
  expect(await caseOf(scene.review)).toMatchObject({ state: "decided" });
  await continueDeletions();
});

it("another one decides who can, also where others cannot, and after a suspension", async () => {
  const { operator, found, second, guide } = await appealed();
  await makeOperator(guide.email);
  await suspend(await newOperator(), DAY_MS);
  await suspend(second, -DAY_MS);
  const again = decideAs(operator, found, { action: "keep" });
  await expect(again).rejects.toMatchObject({ status: 403, message: ANOTHER });
  await decideAs(second, found, { action: "keep" });
});

it("asks again in the transaction who can decide", async () => {
  const { operator, found, second } = await appealed();
  await suspend(second, DAY_MS);
  const form = await formOf(operator, found, { action: "keep" });
  await suspend(second, -DAY_MS);
  const refusal = { status: 403, message: ANOTHER };
  await expect(decideBy(operator, found, form)).rejects.toMatchObject(refusal);
});

/** A warning of that author, or of the second operator, who has appealed. */
async function warned({ operator, found }: Scene, { _id }: UserDocument) {
  const at = new Date();
  const warning = await Sanction.create({
    subject: _id.toString(),
    scope: "account",
    kind: "warning",
    number: 1,
    at,
    operatorId: operator._id,
    caseId: found._id,
    explanation: "It was the second one.",
    appeal: { text: "It was the first one.", at },
    waitsSince: at,
  });
  return warning._id.toString();
}

it.each(UNABLE)(
  "the same operator decides about a warning when the only other one %s",
  async (_, happens) => {
    const scene = await appealed();
    const { operator, author } = scene;
    const id = await warned(scene, author);
    const refusal = async () => (await getSanction(as(operator), id)).refusal;
    expect(await refusal()).toBe(ANOTHER);
    await happens(scene);
    expect(await refusal()).toBeNull();
    const form = { appealed: "yes", outcome: "taken back", explanation: "It was." };
    await decideSanction(as(operator), id, form);
    await continueDeletions();
  },
);

it("the same operator decides about a warning of the only other one", async () => {
  const scene = await appealed();
  const id = await warned(scene, scene.second);
  expect((await getSanction(as(scene.operator), id)).refusal).toBeNull();
});
