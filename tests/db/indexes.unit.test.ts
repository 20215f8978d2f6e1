import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { wantedIndexes } from "~/db/indexes.server";

it("docs/rules/database.md lists every index in a platform's collections, and of which kind", () => {
  const document = readFileSync("docs/rules/database.md", "utf8");
  const section = /^## Indexes\n(.*?)^## /ms.exec(document)![1]!.replace(/\n {2,}/g, " ");
  const listed = [...section.matchAll(/^- `([^`]+)`: (.*)$/gm)].flatMap(([, collection, indexes]) =>
    indexes!.split("; ").map((index) => {
      const [, name, is = ""] = /^`([^`]+)`(?: \((.*)\))?$/.exec(index) ?? [];
      return { collection, name: `tourReviews.${name}`, is };
    }),
  );
  const wanted = wantedIndexes()
    .filter(({ collection }) => !collection.startsWith("tourReviews."))
    .map(
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
          ...(partialFilterExpression ? [`with ${inWords(partialFilterExpression)}`] : []),
          ...(expireAfterSeconds === undefined ? [] : ["expires"]),
        ].join(", "),
      }),
    );
  expect(listed).toEqual(wanted);
});

const inWords = (fields: object) =>
  Object.keys(fields)
    .map((field) => `\`${field}\``)
    .join(" and ");
