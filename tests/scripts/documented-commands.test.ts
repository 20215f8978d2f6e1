import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type mongo, Types } from "mongoose";
import { describe, expect, it } from "vitest";
import { acquireDatabase, findDatabase } from "../../scripts/database/index";
import { demoLogins } from "../../scripts/demo/index";
import { withConnection } from "../../scripts/lib/database-copy";
import { file, folder, outcome, start, stop, useCommands } from "../support/commands";
import { platform } from "../support/import-records";

useCommands();

/** Leaves few of the demo data's users and tours, as a removal does that is stopped half-way: it takes a minute for all. */
async function keepFewRecords(db: mongo.Db): Promise<void> {
  const imported = platform();
  for (const name of ["users", "tours"] as const) {
    const ids = imported[name].map(({ id }) => new Types.ObjectId(id));
    const records = await db
      .collection(name)
      .find({ _id: { $nin: ids } })
      .skip(10)
      .toArray();
    await db.collection(name).deleteMany({ _id: { $in: records.map(({ _id }) => _id) } });
  }
}

describe("commands in a shell without the app's settings", () => {
  const { email } = demoLogins[0]!;
  const other = demoLogins.at(-1)!.email;
  // As the documents name them, `ID` being one that the same command lists.
  const COMMANDS = `
    token --email ${email}
    token list --email ${email}
    token revoke ID
    token --service
    token list --service
    users show --email ${email}
    users export --email ${email}
    users log-out --email ${email}
    operator --email ${email}
    operator --email ${email} --revoke
    mails list
    mails retry --given-up
    webhooks list
    webhooks resend ID --from 2026-05-01
    ratings check
    ratings rebuild
    reviews verify
    db:indexes --dry-run
    db:indexes
    db:backup BACKUP
    db:restore BACKUP
    db:import FILE --dry-run
    db:import FILE --quiet-webhooks
    db:import FILE
    users delete --email ${other} --yes
    verify URL`
    .trim()
    .split("\n")
    .map((line) => line.trim().split(" ") as [string, ...string[]]);
  /** Those that the test has beside the others, and those that have tests of their own. */
  const ELSEWHERE = ["demo remove", "db:uri"];
  const BY_OTHER_TESTS =
    "dev build covers db:install test:unit test:faults validate format bench".split(" ");

  it("are all that the documents name", async () => {
    const folders = [".", "docs", "docs/rules"];
    const files = await Promise.all(
      folders.map(async (at) => (await readdir(at)).map((name) => join(at, name))),
    );
    const documents = files.flat().filter((name) => /\.md$/.test(name) && !/changelog/.test(name));
    const texts = await Promise.all(documents.map((name) => readFile(name, "utf8")));
    const named = texts
      .join()
      .matchAll(/npm run (?:--silent )?([a-z]+(?::[a-z]+)?)(?: -- ([a-z-]+)?)?/g);
    const documented = [...named].map(([, name, word]) => [name, word].filter(Boolean).join(" "));
    const run = COMMANDS.map(([name, word]) =>
      /^[a-z-]/.test(word ?? "") ? `${name} ${word}` : name,
    );
    const known = new Set([...COMMANDS.map(([name]) => name), ...run, ...ELSEWHERE]);
    const missing = documented.filter(
      (command) => !known.has(command) && !BY_OTHER_TESTS.includes(command.split(" ")[0]!),
    );
    expect([...new Set(missing)]).toEqual([]);
    expect(documented.length).toBeGreaterThan(40);
  });

  it("end well next to a running site, and without it", async () => {
    const dataDir = join(folder, "shell");
    const hooks = {
      WEBHOOK_URLS: "http://localhost:9/hooks",
      WEBHOOK_SECRET: `whsec_${"s".repeat(32)}`,
    };
    const site = await start({ DATA_DIR: dataDir, ...hooks });
    const shell = { DATA_DIR: dataDir };
    expect(await outcome(["db-uri"], shell)).toMatchObject({
      code: 0,
      last: expect.stringMatching(/^mongodb:/) as string,
    });
    const values: Record<string, string> = {
      BACKUP: join(folder, "backup.tar"),
      FILE: await file("shell.json", platform()),
      URL: site.url,
    };
    let listed = "";
    for (const [name, ...words] of COMMANDS) {
      const args = words.map((word) => (word === "ID" ? listed : (values[word] ?? word)));
      const command = [name.replace(":", "-"), ...args] as [string, ...string[]];
      const into = { DATA_DIR: join(folder, "restored") };
      const { code, errors, last } = await outcome(command, name === "db:restore" ? into : shell);
      if (words[0] === "list") listed = last?.split(" ")[0] ?? "";
      expect([command.join(" "), code, errors]).toEqual([command.join(" "), 0, errors]);
    }
    await withConnection((await findDatabase(dataDir))!, keepFewRecords);
    await stop(site);

    const nowhere = await outcome(["db-uri"], shell);
    expect(nowhere).toMatchObject({
      code: 1,
      errors: [expect.stringMatching(/^No database is running: /)],
    });
    const unverified = await outcome(["verify", site.url], shell);
    expect(unverified).toMatchObject({
      code: 1,
      errors: [expect.stringMatching(/cannot be verified/)],
    });
    const removed = await outcome(["demo-data", "remove"], shell);
    expect(removed).toMatchObject({
      code: 0,
      last: expect.stringMatching(/^Removed /) as string,
    });
    const again = await outcome(["demo-data", "remove"], shell);
    expect(again).toMatchObject({ code: 0, last: "There is no demo data." });
    // Those of the imported file.
    const { uri, release } = await acquireDatabase({ dataDir });
    const left = (db: mongo.Db) => db.collection("users").countDocuments();
    expect(await withConnection(uri, left)).toBe(platform().users.length);
    await release();
  }, 1_200_000);
});
