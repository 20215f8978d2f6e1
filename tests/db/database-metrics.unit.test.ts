import { expect, test } from "vitest";
import { commandShape } from "~/db/database-metrics.server";

test.each([
  [
    "update",
    {
      update: "users",
      updates: [{ q: { _id: 1, email: "secret" }, u: { $set: { name: "secret" } } }],
    },
    "update users {_id, email}",
  ],
  ["insert", { insert: "users", documents: [{ name: "secret" }] }, "insert users"],
  [
    "find",
    { find: "x", filter: { $or: [{ a: "secret" }, { b: 1, $and: [{ c: 1 }] }], d: ["secret"] } },
    "find x {$or: [{a}, {b, $and: [{c}]}], d}",
  ],
])("%s has the shape of its filter, and no value: %o", (name, command, shape) => {
  expect(commandShape(name, command)).toBe(shape);
});

test("a shape is short, however many keys there are", () => {
  const filter = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`key${n}`, n]));
  expect(commandShape("find", { find: "x", filter })).toHaveLength(300);
});
