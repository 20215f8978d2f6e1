import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { disconnectDatabase } from "~/db/database.server";
import { Review } from "#models/review";
import { loadDemoData } from "../../scripts/lib/demo-data";
import { type App, startApp } from "../support/app";
import { connectTo, databaseUri } from "../support/database";
import { dropDatabase } from "../support/collections";

// The examples of the documents, exactly as written, one after another in one database: what a newcomer types after
// `npm start`, at the address of the test's own app.

let uri: string;
let app: App;
beforeAll(async () => {
  uri = databaseUri(`examples_${process.pid}`);
  // From the database of an earlier file, which the data would go to.
  await disconnectDatabase();
  await loadDemoData(uri);
  // As npm start sets it for the demo.
  app = await startApp(uri, { SHOW_PARTICIPATION: "true" });
});
afterAll(async () => {
  await app.stop();
  const { connection } = Review.db.base;
  await connectTo(uri);
  await dropDatabase(connection);
  await disconnectDatabase();
});

interface Example {
  commands: string;
  /** The status and the body that the document shows below an example, if it does. */
  status?: string;
  body?: string;
}

/** The examples in the `sh` blocks of a document: commands, with the answer in the comment below them. */
async function examplesOf(file: string): Promise<Example[]> {
  const text = await readFile(file, "utf8");
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!);
  return blocks
    .filter((block) => block.includes("curl") || block.includes("BASE="))
    .flatMap((block) => block.trim().split("\n\n"))
    .map((example) => {
      const lines = example.split("\n");
      const comment = lines.filter((line) => line.startsWith("#")).map((line) => line.slice(1));
      const [, status, body] = /^\s*(\d{3})\s*(.*)$/s.exec(comment.join("")) ?? [];
      const commands = lines.filter((line) => !line.startsWith("#")).join("\n");
      return { commands: commands.replaceAll("http://localhost:3000", app.url), status, body };
    });
}

/** The pattern of a body: `…` stands for anything, and white space is ignored. */
const patternOf = (body: string) =>
  new RegExp(
    `^${body
      .replace(/\s/g, "")
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll("…", ".*")}$`,
    "s",
  );

test.each([
  ["README.md", 1],
  ["docs/api.md", 10],
])("the examples of %s give the answers that they show", async (file, atLeast) => {
  const examples = await examplesOf(file);
  // Makes each example print the answer to its last request.
  const script = [
    'curl() { command curl -sS -w "%{stderr}\\nSTATUS %{http_code}\\n" "$@"; }',
    ...examples.map(({ commands }) => `echo "@@"; echo "@@" >&2\n${commands}`),
  ].join("\n");
  const { stdout, stderr, status } = spawnSync("bash", ["-euo", "pipefail", "-c", script], {
    encoding: "utf8",
    env: { ...process.env, MONGODB_URI: uri },
  });
  expect([status, stderr.replace(/^(@@|STATUS \d+|)\n/gm, "")]).toEqual([0, expect.anything()]);
  const bodies = stdout.split("@@\n").slice(1);
  const statuses = stderr.split("@@\n").slice(1);
  expect(bodies).toHaveLength(examples.length);
  let shown = 0;
  for (const [index, { commands, status, body }] of examples.entries()) {
    // Every command that sends a request and assigns nothing prints its answer.
    expect([commands, status !== undefined]).toEqual([commands, /^curl/m.test(commands)]);
    if (status === undefined) continue;
    shown++;
    const answered = statuses[index]!.match(/STATUS (\d+)/g)!.at(-1);
    expect([commands, answered]).toEqual([commands, `STATUS ${status}`]);
    if (body) expect(bodies[index]!.replace(/\s/g, ""), commands).toMatch(patternOf(body));
    else expect([commands, bodies[index]]).toEqual([commands, ""]);
  }
  expect(shown).toBeGreaterThanOrEqual(atLeast);
});
