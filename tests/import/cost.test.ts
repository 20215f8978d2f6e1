import { Types } from "mongoose";
import { expect, test } from "vitest";
import { importData } from "~/import/import.server";
import { putRecord } from "~/import/put-record.server";
import { User } from "#models/user";
import { useDatabase } from "../support/database";
import { expectReads, sentBy } from "../support/explain";
import { id, user } from "../support/import-records";

// How much is read to store a user: the same however many there are.

useDatabase();

const OTHERS = 300;

const others = () =>
  User.insertMany(
    Array.from({ length: OTHERS }, (_, n) => ({
      _id: new Types.ObjectId(),
      name: `Other ${n}`,
      email: `other${n}@example.test`,
    })),
  );

const stores = {
  "PUT /api/users": async (record: ReturnType<typeof user>) => {
    const { id, ...fields } = record;
    await putRecord("users", id, fields);
  },
  "an import": async (record: ReturnType<typeof user>) =>
    void (await importData({ users: [record] })),
};

test.each(Object.entries(stores))("%s looks for each spelling by itself", async (_, store) => {
  await others();
  for (const [email, most] of [
    ["ann@example.test", 1],
    // In both forms of Unicode, and in the form of the DNS.
    ["Zoë@exämple.test", 4],
  ] as const) {
    const record = user(1, { email });
    const sent = await sentBy(() => store(record));
    const asked = sent.filter(({ command }) => "collation" in command);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(most);
    for (const { command } of asked)
      expect((command.filter as { email: unknown }).email).toBeTypeOf("string");
    await expectReads(asked, 1);
    const again = await sentBy(() => store({ ...record, name: "Anna" }));
    expect(again.filter(({ command }) => "collation" in command)).toEqual([]);
    await User.deleteOne({ _id: id("a", 1) });
  }
});
