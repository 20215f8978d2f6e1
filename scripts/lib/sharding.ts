/** How a collection is spread over the shards of a cluster. */
export interface ShardKey {
  collection: string;
  key: Record<string, 1 | "hashed">;
  /** Whether the index of the shard key is unique. */
  unique?: true;
  why: string;
}

/**
 * The commands for a sharded cluster (docs/scale.md, A sharded cluster). A unique index applies across shards only if
 * it begins with the shard key. We use ranges, because no unique index can begin with a hash.
 */
export const SHARD_KEYS: ShardKey[] = [
  {
    collection: "reviews",
    key: { tourId: 1 },
    why: "lists, pages, the mean and the unique pair of tour and user are of one tour",
  },
  {
    collection: "tourReviews.replies",
    key: { _id: "hashed" },
    why: "a page finds the replies by the ids of its reviews",
  },
  {
    collection: "bookings",
    key: { tourId: 1 },
    why: "the check of a POST names the tour, and so do a guide's departures",
  },
  {
    collection: "tourReviews.sessions",
    key: { _id: "hashed" },
    why: "every request finds its session by its id, which is random",
  },
  {
    collection: "tourReviews.knownNetworks",
    key: { _id: "hashed" },
    why: "a log-in finds its user's by the user's id",
  },
  {
    collection: "tourReviews.rateLimits",
    key: { key: 1 },
    unique: true,
    why: "each change is counted under one key",
  },
  {
    collection: "tourReviews.idempotencyKeys",
    key: { userId: 1, key: 1 },
    unique: true,
    why: "a key is looked up together with its user",
  },
];

/** The collections that stay as a whole on one shard, and why. */
export const UNSHARDED: Record<string, string> = {
  tours: "a kilobyte each; pages find them by slug, the index of tours reads all of them",
  users: "their unique e-mail address has a collation, which no shard key can have",
  "tourReviews.notifications": "the workers look for what is due, and would have to ask all shards",
  "tourReviews.removedReviews": "few",
  "tourReviews.cases": "few; the queue looks for all that wait",
  "tourReviews.reports": "few; an operator looks for the same reporter in all cases",
  "tourReviews.decisions": "few; the figures are of all of them",
  "tourReviews.operators": "few",
  "tourReviews.sanctions": "few",
  "tourReviews.accessTokens": "few",
  "tourReviews.emailLinks": "few, and gone within a day",
  "tourReviews.completions": "few, and gone within a day",
  "tourReviews.absences": "few, and gone within a year; the figures are of all of them",
  "tourReviews.accountDeletions": "few",
  "tourReviews.erasures": "two small hashes for each deleted account",
  "tourReviews.layout": "one",
};

/** The commands for mongosh, one per line, in the order in which they must be run. */
export function shardCommands(database: string): string[] {
  const name = JSON.stringify(database);
  return [
    `sh.enableSharding(${name})`,
    ...SHARD_KEYS.map(({ collection, key, unique, why }) => {
      const options = unique ? `, true` : "";
      return `sh.shardCollection(${JSON.stringify(`${database}.${collection}`)}, ${JSON.stringify(key)}${options}) // ${why}`;
    }),
    ...Object.entries(UNSHARDED).map(([collection, why]) => `// ${collection} stays whole: ${why}`),
  ];
}
