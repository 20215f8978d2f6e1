import { spawnSync } from "node:child_process";
import { Types } from "mongoose";
import { expect, test } from "vitest";
import { createServiceToken } from "~/accounts/tokens.server";
import { Booking } from "#models/booking";
import { tokenOf } from "../support/app";
import { makeTour, makeUser } from "../support/factories";
import { doc } from "../support/openapi";
import { app, get, useApp } from "../support/shared-app";
import { makeWorld } from "../support/world";

useApp();

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
const textOf = (html: string) =>
  html.replace(/<[^>]+>/g, "").replace(/&(#?\w+);/g, (_, name: string) => ENTITIES[name]!);

/** The page's examples by the names of their operations, and the statuses of their answers. */
async function examples() {
  const { status, text, headers } = await get("/api");
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const sections = [...text.matchAll(/<section id="(\w+)"[^>]*aria-labelledby(.*?)<\/section>/gs)];
  return sections.map(([, id, section]) => {
    const [command] = [...section!.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, code]) =>
      textOf(code!),
    );
    return { id: id!, command: command!, status: /Answer: (\d+)/.exec(section!)?.[1] };
  });
}

/** The user whose token an example needs: an author, a guide, or one who may review the tour. */
const BY: Record<string, "author" | "guide" | "booked"> = {
  createReview: "booked",
  putReply: "guide",
  deleteReply: "guide",
};

test("the page of the API has every operation, and its examples give the answers that they show", async () => {
  const found = await examples();
  const operations = Object.values(doc.paths).flatMap((methods) => Object.values(methods));
  expect(found.map(({ id }) => id).sort()).toEqual(
    operations.map(({ operationId }) => operationId).sort(),
  );
  await makeTour({ slug: "old-town-walk" });
  const SERVICE = await createServiceToken("Platform");
  for (const { id, command, status } of found) {
    const { tour, review, ...world } = await makeWorld();
    const booking = await Booking.findOne({ tourId: tour._id }).orFail();
    const user = id === "deleteUser" ? await makeUser() : world.unbooked;
    const env = {
      BASE: app.url,
      TOKEN: await tokenOf(world[BY[id] ?? "author"]),
      SERVICE,
      TOUR: (id === "putTour" ? new Types.ObjectId() : tour._id).toString(),
      REVIEW: review._id.toString(),
      USER: user._id.toString(),
      BOOKING: booking._id.toString(),
    };
    // The platform gives this address to its next tour, as a slug belongs to one alone.
    const run = id === "putTour" ? command.replace("old-town-walk", "another-walk") : command;
    const args = ["-euc", `${run} -sS -o /dev/null -w '%{http_code}'`];
    const { stdout, stderr } = spawnSync("bash", args, {
      env: { ...process.env, ...env },
      encoding: "utf8",
    });
    const answers = id === "putTour" ? ["201"] : [status];
    expect([id, answers.includes(stdout), stdout + stderr]).toEqual([id, true, expect.anything()]);
  }
});

test("an address below that is unknown stays JSON", async () => {
  for (const path of ["/api/nothing", "/api//"]) {
    const { status, json } = await get(path);
    expect([path, status, json]).toEqual([path, 404, { error: "Not found" }]);
  }
  expect((await get("/api/")).text).toContain("<h1>API</h1>");
});
