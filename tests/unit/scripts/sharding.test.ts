import { describe, expect, it } from "vitest";
import { models } from "../../../models/index";
import dbShard from "../../../scripts/db-shard";
import { SHARD_KEYS, shardCommands, UNSHARDED } from "../../../scripts/lib/sharding";

describe("npm run db:shard", () => {
  it("knows every collection, each once", () => {
    const known = [...SHARD_KEYS.map(({ collection }) => collection), ...Object.keys(UNSHARDED)];
    expect(known.toSorted()).toEqual(models.map(({ collection }) => collection.name).toSorted());
  });

  it.each(SHARD_KEYS)(
    "$collection: its unique indexes begin with the shard key, as does one for every document",
    ({ collection, key, unique }) => {
      const fields = Object.keys(key);
      const indexes = models
        .find((model) => model.collection.name === collection)!
        .schema.indexes();
      const begins = (index: object) =>
        Object.keys(index).slice(0, fields.length).join() === fields.join();
      for (const [index, options] of indexes) if (options.unique) expect(index).toSatisfy(begins);
      // The cluster makes a hashed index by itself.
      if (Object.values(key).includes("hashed")) return;
      const whole = indexes.filter(
        ([index, options]) =>
          begins(index) &&
          !options.partialFilterExpression &&
          !options.sparse &&
          !options.collation,
      );
      expect(whole).not.toEqual([]);
      if (unique)
        expect(
          whole.some(
            ([index, { unique }]) => unique && Object.keys(index).length === fields.length,
          ),
        ).toBe(true);
    },
  );

  it.each([[[]], [["--run"]], [["--dry-run", "now"]]])(
    "never gives the commands itself: %j",
    (args) => {
      expect(() => dbShard(args)).toThrow("it never runs them");
    },
  );

  it("prints a command for each, with the database's name", () => {
    const commands = shardCommands("reviews_db");
    expect(commands[0]).toBe('sh.enableSharding("reviews_db")');
    expect(commands[1]).toMatch(
      /^sh\.shardCollection\("reviews_db\.reviews", \{"tourId":1\}\) \/\/ /,
    );
    expect(commands.filter((line) => line.startsWith("sh."))).toHaveLength(SHARD_KEYS.length + 1);
  });
});
