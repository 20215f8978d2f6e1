import { afterEach, expect, test, vi } from "vitest";
import { log } from "~/lib/log.server";
import { importData } from "~/import/import.server";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import { makeUser } from "../support/factories";

useDatabase();
afterEach(() => vi.restoreAllMocks());

const warnings = () => vi.spyOn(log, "warn").mockImplementation(() => {});

test("an import takes it all the same, and says so", async () => {
  const warn = warnings();
  const guide = (await makeUser())._id.toString();
  const record = { id: "b".repeat(24), title: "Walk", slug: "walk", createdById: guide };
  await importData({ tours: [{ ...record, timeZone: "Pluto/Base" }] });
  expect((await Tour.findById(record.id).lean())!.timeZone).toBe("Pluto/Base");
  expect(warn.mock.calls.map(([fields]) => fields)).toContainEqual({ timeZone: "Pluto/Base" });
});
