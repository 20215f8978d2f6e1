import dns from "node:dns";
import { expect, test, vi } from "vitest";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { DatabaseError } from "~/lib/errors.server";
import { databaseUri } from "../support/database";

test("a load balancer that the name's TXT record announces is refused with the reason", async () => {
  const answers: Record<string, unknown> = {
    SRV: [{ name: "db.example.test", port: 27017, priority: 0, weight: 0 }],
    TXT: [["loadBalanced=true"]],
  };
  vi.spyOn(dns.promises, "resolve").mockImplementation(((_name: string, type: string) =>
    Promise.resolve(answers[type])) as typeof dns.promises.resolve);
  const connecting = connectDatabase("mongodb+srv://reviews.example.test/platform");
  await expect(connecting).rejects.toThrow(DatabaseError);
  await expect(connecting).rejects.toThrow(/^MONGODB_URI must not have loadBalanced=true/);
});

test.each([
  [
    "readPreference=secondaryPreferred&maxStalenessSeconds=120",
    "readPreference, maxStalenessSeconds",
  ],
  ["minPoolSize=60&maxPoolSize=100", "minPoolSize, maxPoolSize"],
  ["uuidRepresentation=standard", "uuidRepresentation"],
])("an address with %s connects, and a warning names what is not taken", async (options, names) => {
  const uri = databaseUri();
  const warnings = await connectDatabase(`${uri}${uri.includes("?") ? "&" : "?"}${options}`, {
    indexes: false,
  });
  await disconnectDatabase();
  expect(warnings).toEqual([expect.stringMatching(`^MONGODB_URI is taken without ${names}: `)]);
});
