// Computes the ratings of a site again from its changes (docs/verify.md): node docs/verify.mjs URL
import { createHash } from "node:crypto";

const site = process.argv[2];
async function* pages(path) {
  for (let search = "?limit=100"; search;) {
    const answer = await fetch(new URL(path + search, site));
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
    yield await answer.json();
    search = /\?[^>]+/.exec(answer.headers.get("link") ?? "")?.[0];
  }
}
async function faultOf(tour) {
  let counts = new Map();
  let [version, hash, count, mean] = [0, "0".repeat(64), 0, 0];
  const add = (rating, n) => rating !== null && counts.set(rating, (counts.get(rating) ?? 0) + n);
  for await (const { changes } of pages(`/api/tours/${tour.id}/changes`))
    for (const { review, ...entry } of changes) {
      if (entry.ratings) counts = new Map(entry.ratings);
      add(entry.before, -1);
      add(entry.stars, 1);
      let [rated, sum] = [0, 0];
      count = 0;
      for (const [rating, n] of [...counts].sort(([a], [b]) => a - b)) {
        count += n;
        if (rating > 0) [rated, sum] = [rated + n, sum + rating * n];
      }
      mean = rated && sum / rated;
      const follows = entry.version === version + 1 && entry.previous === hash;
      if (!follows || entry.count !== count || entry.mean !== mean)
        return `after version ${version}`;
      version = entry.version;
      hash = createHash("sha256").update(JSON.stringify(entry)).digest("hex");
    }
  return tour.reviewCount === count && tour.avgRating === mean ? null : "in its published rating";
}
for await (const { tours } of pages("/api/tours"))
  for (const tour of tours) {
    const fault = await faultOf(tour);
    if (fault) process.exitCode = 1;
    if (fault) console.log(`${tour.slug}: a fault ${fault}`);
  }
