import { beforeEach, expect, it } from "vitest";
import { revokeOperator } from "~/moderation/operators.server";
import { Case } from "#models/case";
import { Session } from "#models/session";
import { call, sessionOf, confirmOperator } from "../support/app";
import { addressOf, caseOf, formOf, makeCaseScene, report } from "../support/cases";
import { app, useApp } from "../support/shared-app";

// The right to decide (docs/rules/moderation.md, Decisions).

useApp();

const EXPLANATION = "It was written for half an hour.";
let scene: Awaited<ReturnType<typeof makeScene>>;
beforeEach(async () => void (scene = await makeScene()));

async function makeScene() {
  const made = await makeCaseScene();
  await report(addressOf(made.review));
  const found = await caseOf(made.review);
  const cookie = await sessionOf(made.operator);
  const form = await formOf(made.operator, found, { action: "keep", explanation: EXPLANATION });
  return { ...made, found, form, cookie, path: `/operator/cases/${found._id.toString()}` };
}

const decide = () =>
  call(app, "POST", scene.path, {
    cookie: scene.cookie,
    raw: new URLSearchParams(scene.form as Record<string, string>),
  });
const stateNow = async () => (await Case.findById(scene.found._id).orFail()).state;

it("somebody who is no operator any more finds no page, and decides nothing", async () => {
  await revokeOperator(scene.operator.email);
  expect((await decide()).status).toBe(404);
  expect((await call(app, "GET", "/operator", { cookie: scene.cookie })).status).toBe(404);
  expect(await stateNow()).toBe("open");
});

it("an operator decides with a password given not too long ago, and reads nothing without it", async () => {
  const userId = scene.operator._id;
  await Session.updateMany({ userId }, { "data.operatorUntil": Date.now() - 1 });
  expect((await decide()).status).not.toBe(500);
  expect(await stateNow()).toBe("open");
  const page = await call(app, "GET", scene.path, { cookie: scene.cookie });
  expect(page.text).not.toContain("555-0100");
  await confirmOperator(userId);
  const { text } = await call(app, "GET", scene.path, { cookie: scene.cookie });
  // The form that was sent too late is there again, once.
  expect(text).toContain(EXPLANATION);
  expect((await call(app, "GET", scene.path, { cookie: scene.cookie })).text).not.toContain(
    EXPLANATION,
  );
  expect((await decide()).status).toBe(302);
  expect(await stateNow()).toBe("decided");
});
