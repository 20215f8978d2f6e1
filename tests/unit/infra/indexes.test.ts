import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { wantedIndexes } from "~/infra/indexes.server";

const DAY = 24 * 60 * 60;

it("docs/rules.md lists every index, of which collection and of which kind", () => {
  const section = /^### Indexes\n(.*?)^## /ms.exec(readFileSync("docs/rules.md", "utf8"))![1]!;
  const rows = [...section.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\| (.*?) *\|$/gm)];
  const listed = rows.map(([, collection, name, is]) => ({ collection, name, is }));
  const wanted = wantedIndexes().map(
    ({
      collection,
      name,
      unique,
      sparse,
      collation,
      partialFilterExpression,
      expireAfterSeconds,
    }) => ({
      collection,
      name,
      is: [
        ...(unique ? ["unique"] : []),
        ...(sparse ? ["sparse"] : []),
        ...(collation ? ["without regard to case"] : []),
        ...(partialFilterExpression
          ? [`only of documents with ${inWords(partialFilterExpression)}`]
          : []),
        ...(expireAfterSeconds === undefined ? [] : [expiry(expireAfterSeconds)]),
      ].join(", "),
    }),
  );
  expect(listed).toEqual(wanted);
});

const inWords = (fields: object) =>
  Object.keys(fields)
    .map((field) => `\`${field}\``)
    .join(" and ");

const expiry = (seconds: number) =>
  seconds === 0
    ? "deletes documents at that time"
    : `deletes documents after ${seconds / DAY} day${seconds === DAY ? "" : "s"}`;
