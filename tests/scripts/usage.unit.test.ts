import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ExpectedError, UsageError } from "../../scripts/lib/command";
import { freePort } from "../../scripts/lib/ports";

// `npm run X -- --help`: every command refuses what it does not know with its usage, before it does anything
// (scripts/run.mjs prints that).

const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as {
  scripts: Record<string, string>;
};
/** The commands of ours, by their names. */
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const file = /^exec node scripts\/run\.mjs (\S+)$/.exec(line)?.[1];
  return file && name !== "validate" ? [[name, file] as const] : [];
});

interface Command {
  default: (args: string[]) => unknown;
}

test("there are many", () => expect(commands.length).toBeGreaterThan(12));

test.each(commands)("%s says how it is used", async (name, file) => {
  const { default: run } = (await import(`../../scripts/${file}.ts`)) as Command;
  const failure = await Promise.resolve()
    .then(() => run(["--help"]))
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UsageError);
  const usage = ["start", "test"].includes(name) ? `npm ${name}` : `npm run ${name}`;
  expect((failure as Error).message).toMatch(new RegExp(`^Usage: ${usage}( |$)`));
});

/** Calls a command as scripts/run.mjs does; what it was refused with. */
async function refusalOf(line: string): Promise<Error> {
  const [file, ...args] = line.split(" ");
  const { default: run } = (await import(`../../scripts/${file}.ts`)) as Command;
  const failure: unknown = await Promise.resolve()
    .then(() => run(args))
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ExpectedError);
  expect((failure as Error).message).not.toContain("\n");
  return failure as Error;
}

// A wrong argument is one line as well, and nothing has been done by then: none of these could reach a database.
test.each([
  "build --watch",
  "db-backup one.tar other.tar",
  "db-import",
  "db-indexes --dry-run --dry-run",
  "demo-data remove all",
  "dev demo",
  "mails list --state dead",
  "mails retry --state sent --given-up",
  "ratings mend",
  "start --port=80",
  "token",
  "token --email a@b.test --service",
  "token --email a@b.test --email c@d.test",
  "token list --email a@b.test --expires 1",
  "users show --email a@b.test --yes",
  "users toString --email a@b.test",
  "webhooks resend --from 2026-01-01",
])("%s is refused", async (line) => {
  const refusal = await refusalOf(line);
  expect(refusal).toBeInstanceOf(UsageError);
  const [name] = commands.find(([, file]) => file === line.split(" ")[0])!;
  expect(refusal.message).toMatch(new RegExp(`^Usage: npm (run )?${name}( |$)`));
});

// Values that are out of their range, and what only some machines have.
test.each([
  ["bench --only page,nothing", "There is no row nothing: page, "],
  ["bench --rounds 0", "--rounds must be a whole number from 1 to 100"],
  ["token --email a@b.test --expires 3651", "--expires must be"],
  ["token --email a@b.test --expires 2020-01-01", "--expires must be"],
  ["users delete --email a@b.test", "delete needs --yes"],
  ["webhooks resend https://a.test/ --from yesterday", "--from must be a date or a time"],
])("%s is refused with its reason: %s", async (line, reason) => {
  const refusal = await refusalOf(line);
  expect(refusal).toBeInstanceOf(UsageError);
  expect(refusal.message.slice(0, reason.length)).toBe(reason);
});

describe("settings with which a command cannot work are refused in one line", () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each([
    ["PORT", "70000", /^PORT must be/],
    ["SENDGRID_BASE_URL", "sendgrid", /^SENDGRID_BASE_URL must be/],
    ["MONGODB_URI", "localhost:27017", /^MONGODB_URI must start/],
  ])("%s=%s, before anything is done", async (name, value, message) => {
    vi.stubEnv(name, value);
    for (const command of ["start", "dev"])
      expect((await refusalOf(command)).message).toMatch(message);
  });

  test("a PORT in use", async () => {
    const other = createServer().listen(0);
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    vi.stubEnv("PORT", String(port));
    vi.stubEnv("APP_URL", "");
    for (const command of ["start", "dev"])
      expect((await refusalOf(command)).message).toBe(`PORT ${port} is in use by another program`);
    other.close();
  });

  const noFolder = /^DATA_DIR cannot be used: E[A-Z]+: .+$/;
  test.runIf(process.platform === "linux").each<[string, Record<string, string>, RegExp]>([
    ["start", { DATA_DIR: "/proc/tour-reviews" }, noFolder],
    ["token --email ann@x.test", { DATA_DIR: "/dev/null/data" }, noFolder],
    ["db-restore a.tar", { DATA_DIR: "/proc/a" }, /^Nothing was restored: E[A-Z]+: .+$/],
    ["db-backup a.tar", { DATA_DIR: "/no/data" }, /^There is no embedded database in \/no\/data$/],
    ["db-backup a.tar", { MONGODB_URI: "mongodb://x.test/x" }, /^db:backup is for the embedded /],
    ["db-uri", { DATA_DIR: "/no/data" }, /^No database is running/],
  ])("%s with %j", async (line, settings, message) => {
    const unset = { MONGODB_URI: "", APP_URL: "", PORT: String(await freePort()) };
    for (const [name, value] of Object.entries({ ...unset, ...settings })) vi.stubEnv(name, value);
    expect((await refusalOf(line)).message).toMatch(message);
  });
});
