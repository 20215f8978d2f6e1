import { afterEach, expect, test, vi } from "vitest";
import { log } from "~/infra/log.server";
import { importData } from "~/import/import.server";
import { zoneOf } from "~/infra/tour-zone.server";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import { makeUser } from "../support/factories";

useDatabase();
afterEach(() => vi.restoreAllMocks());

const warnings = () => vi.spyOn(log, "warn").mockImplementation(() => {});

test.each([
  ["Asia/Tokyo", "Asia/Tokyo"],
  [" europe/rome ", "Europe/Rome"],
  [null, "UTC"],
  ["", "UTC"],
  [" ", "UTC"],
])("a tour of the zone %j is in %s, without a word in the log", (timeZone, zone) => {
  const warn = warnings();
  expect(zoneOf({ timeZone })).toBe(zone);
  expect(warn).not.toHaveBeenCalled();
});

test("a tour that is gone is in the site's zone", () => {
  expect(zoneOf(null)).toBe("UTC");
});

test("a zone that does not exist counts as none and is named once, however many tours name it", () => {
  const warn = warnings();
  for (let n = 0; n < 3; n++) expect(zoneOf({ timeZone: "Venus/Base" })).toBe("UTC");
  expect(zoneOf({ timeZone: "+09:00" })).toBe("UTC");
  expect(zoneOf({ timeZone: `V${"x".repeat(1_000)}` })).toBe("UTC");
  expect(warn.mock.calls.map(([fields]) => fields)).toEqual([
    { timeZone: "Venus/Base" },
    { timeZone: "+09:00" },
    { timeZone: `V${"x".repeat(63)}` },
  ]);
});

test("an import takes it all the same, and says so", async () => {
  const warn = warnings();
  const guide = (await makeUser())._id.toString();
  const record = { id: "b".repeat(24), title: "Walk", slug: "walk", createdById: guide };
  await importData({ tours: [{ ...record, timeZone: "Pluto/Base" }] });
  expect((await Tour.findById(record.id).lean())!.timeZone).toBe("Pluto/Base");
  expect(warn.mock.calls.map(([fields]) => fields)).toContainEqual({ timeZone: "Pluto/Base" });
});
