import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { UsageError } from "../../../scripts/lib/command";

// `npm run X -- --help`: every command refuses what it does not know with its usage, before it does anything
// (scripts/run.mjs prints that).

const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as {
  scripts: Record<string, string>;
};
/** The commands of ours, by their names; the unit tests pass every argument on. */
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const file = /^exec node scripts\/run\.mjs (\S+)$/.exec(line)?.[1];
  return file && file !== "test-unit" && name !== "validate" ? [[name, file] as const] : [];
});

interface Command {
  default: (args: string[]) => unknown;
}

test("there are many", () => expect(commands.length).toBeGreaterThan(12));

test.each(commands)("%s says how it is used", async (name, file) => {
  const { default: run } = (await import(`../../../scripts/${file}.ts`)) as Command;
  const failure = await Promise.resolve()
    .then(() => run(["--help"]))
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UsageError);
  const usage = ["start", "test"].includes(name) ? `npm ${name}` : `npm run ${name}`;
  expect((failure as Error).message).toMatch(new RegExp(`^Usage: ${usage}( |$)`));
});

// A wrong argument is one line as well, and nothing has been done by then: none of these could reach a database.
test.each([
  "mails",
  "mails list 7",
  "mails list --given-up",
  "mails list --state dead",
  "mails list --state sent --state waiting",
  "mails retry",
  "mails retry --state sent --given-up",
  "mails retry 7 --given-up",
  "mails retry 7 8",
  "mails send 7",
])("%s is refused", async (line) => {
  const [file, ...args] = line.split(" ");
  const { default: run } = (await import(`../../../scripts/${file}.ts`)) as Command;
  await expect(Promise.resolve().then(() => run(args))).rejects.toThrow(UsageError);
});
