import { beforeEach, describe, expect, test } from "vitest";
import { createToken } from "~/accounts/tokens.server";
import { texts } from "~/lib/refusal-texts";
import { importData } from "~/import/import.server";
import { putRecords, readBodyOfRecords } from "~/import/put-records.server";
import type { ImportFile } from "~/import/records.server";
import { AccessToken } from "#models/access-token";
import { Notification } from "#models/notification";
import { Operator } from "#models/operator";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { useDatabase } from "../support/database";
import { id, tour, useGuide, user } from "../support/import-records";

// Records that take one another's addresses and slugs: afterwards each has one owner.

useDatabase();
useGuide();

const USERS = 4;

// Each test has addresses of its own: one of the embedded engines keeps what a transaction has left in an index.
let round = 0;
beforeEach(() => void round++);
const email = (place: number) => `user${place}.${round}@example.test`;

const taking = (places: number[]) =>
  places.map((place, n) => user(n, { email: email(place), name: `Now ${place}` }));
const takingSlugs = (places: number[]) =>
  places.map((place, n) => tour(n, { slug: `tour-${place}` }));

async function send({ users = [], tours = [] }: ImportFile) {
  const lines = [
    ...users.map((one) => ({ type: "users", ...one })),
    ...tours.map((one) => ({ type: "tours", ...one })),
  ];
  const sent = readBodyOfRecords(JSON.stringify(lines));
  await putRecords(sent);
  return sent.map(({ result }) => result.result ?? result.error);
}

const owners = async () => [
  (await User.find({ _id: { $lt: id("b", 0) } }).sort({ _id: 1 })).map(({ email }) => email),
  (await Tour.find().sort({ _id: 1 })).map(({ slug }) => slug),
];

const PLACES = {
  "two who exchange": [1, 0, 2, 3],
  "a circle": [1, 2, 3, 0],
  "a chain": [1, 2, 3, 9],
  "a chain the other way": [9, 0, 1, 2],
  "two pairs": [1, 0, 3, 2],
};

test("two users with ids of a platform's own exchange addresses in one request", async () => {
  const users = (places: number[]) => [
    user(0, { id: "user-1", email: email(places[0]!) }),
    user(1, { id: 2, email: email(places[1]!) }),
  ];
  expect(await send({ users: users([0, 1]) })).toEqual(["created", "created"]);
  expect(await send({ users: users([1, 0]) })).toEqual(["changed", "changed"]);
  expect(await send({ users: users([1, 0]) })).toEqual(["unchanged", "unchanged"]);
});

describe.each(Object.entries(PLACES))("%s", (_, places) => {
  const before = () => ({ users: taking([0, 1, 2, 3]), tours: takingSlugs([0, 1, 2, 3]) });
  const after = () => ({ users: taking(places), tours: takingSlugs(places) });
  const expected = () => [
    places.map((place) => email(place)),
    places.map((place) => `tour-${place}`),
  ];

  test("of a file", async () => {
    await importData(before());
    await importData(after());
    expect(await owners()).toEqual(expected());
  });

  test("of one request", async () => {
    await importData(before());
    const results = await send(after());
    const kept = places.map((place, n) => (place === n ? "unchanged" : "changed"));
    expect(results).toEqual([...kept, ...kept]);
    expect(await owners()).toEqual(expected());
    const told = await Notification.countDocuments();
    expect(told > 0 || places[0] === 9).toBe(true);
    expect(await send(after())).toEqual(Array<string>(2 * USERS).fill("unchanged"));
  });
});

describe("addresses that change hands in a request", () => {
  test("end the access of each, as any new address does", async () => {
    await importData({ users: taking([0, 1, 2]) });
    for (const place of [0, 1, 2]) await createToken(email(place), "Laptop", null);
    expect(await send({ users: taking([1, 0, 2]) })).toEqual(["changed", "changed", "unchanged"]);
    const left = await AccessToken.find().lean();
    expect(left.map(({ userId }) => userId.toString())).toEqual([id("a", 2)]);
  });

  test("are none of an operator's", async () => {
    await importData({ users: taking([0, 1]) });
    await Operator.create({ _id: id("a", 1), since: new Date() });
    expect(await send({ users: taking([1, 0]) })).toEqual([
      texts.operatorAccount,
      "email: is taken by another user",
    ]);
    expect((await owners())[0]).toEqual([email(0), email(1)]);
  });
});

test("a new user takes the address that another one of the file leaves", async () => {
  await importData({ users: taking([0]) });
  const users = [user(1, { email: email(0) }), user(0, { email: "new@example.test" })];
  await importData({ users });
  expect((await owners())[0]).toEqual(["new@example.test", email(0)]);
});

test("who keeps the address keeps it", async () => {
  await importData({ users: taking([0, 1]), tours: takingSlugs([0, 1]) });
  const message =
    "users[0].email: is taken by another user\ntours[0].slug: is taken by another tour";
  const first = { users: taking([1]), tours: takingSlugs([1]) };
  await expect(importData(first)).rejects.toThrow(message);
  expect(await send(first)).toEqual([
    "email: is taken by another user",
    "slug: is taken by another tour",
  ]);
});
