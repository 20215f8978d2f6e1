import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, test } from "vitest";
import { prepareServer, type ServerCommand } from "../../scripts/database/install";

// An upgrade of SecantusDB that breaks what scripts/database/patches.py relies on must not go unnoticed.

const folder = fileURLToPath(new URL("../../scripts/database", import.meta.url));

let server: ServerCommand;
beforeAll(async () => {
  server = await prepareServer();
}, 300_000);

/** A Python program that first changes SecantusDB as an upgrade might. */
const program = (upgrade: string, then: string) =>
  [
    "import sys, runpy",
    `sys.path.insert(0, ${JSON.stringify(folder)})`,
    "from secantus import cli, transactions, server",
    upgrade,
    then,
  ].join("\n");

function applyPatches(upgrade: string, then = ""): { status: number | null; errors: string } {
  const source = program(upgrade, `import patches; patches.apply(); ${then}`);
  const { status, stderr } = spawnSync(server.file, ["-I", "-B", "-c", source], {
    encoding: "utf8",
  });
  return { status, errors: stderr };
}

describe("the patches of the embedded database", () => {
  it("fit the version that is installed", (context) => {
    context.skip(!server.endsWithInput);
    expect(applyPatches("")).toEqual({ status: 0, errors: "" });
  });

  it("let threads take turns ten times as often as Python's default", (context) => {
    context.skip(!server.endsWithInput);
    const isTenth = "assert abs(sys.getswitchinterval() - usual / 10) < 1e-9";
    expect(applyPatches("usual = sys.getswitchinterval()", isTenth)).toEqual({
      status: 0,
      errors: "",
    });
  });

  it("end a transaction that has been idle since before the clock was set back", (context) => {
    context.skip(!server.endsWithInput);
    const idle = [
      "import threading, time, types",
      "state = transactions.TxnState.IN_PROGRESS",
      "idle = types.SimpleNamespace(mutex=threading.Lock(), last_use=time.time() + 3600, state=state)",
      "registry = types.SimpleNamespace(_txns={1: idle}, _rollback_quietly=lambda transaction: None)",
    ].join("\n");
    const look = [
      "patches.end_idle_transactions(registry)",
      "patches.time.time = lambda now=time.time(): now + patches.IDLE_TRANSACTION_SECONDS + 1",
      "assert patches.end_idle_transactions(registry) == 1",
    ].join("; ");
    expect(applyPatches(idle, look)).toEqual({ status: 0, errors: "" });
  });

  test.each([
    ["del server.SecantusDBServer.wait", "has no SecantusDBServer.wait(self)"],
    [
      "server.SecantusDBServer.wait = lambda self, timeout: None",
      "has no SecantusDBServer.wait(self)",
    ],
    ["server.SecantusDBServer.__init__ = lambda self: None", "has no SecantusDBServer._stop_event"],
    [
      "del transactions.TransactionRegistry._prune_locked",
      "has no TransactionRegistry._prune_locked(self)",
    ],
    [
      "del transactions.TransactionRegistry._prune_retryable_locked",
      "has no TransactionRegistry._prune_retryable_locked(self)",
    ],
    [
      "transactions.TransactionRegistry.__init__ = lambda self: setattr(self, '_txns', {})",
      "has no TransactionRegistry._retryable",
    ],
    ["del transactions.Transaction.mutex", "has no Transaction.mutex"],
    [
      "del transactions._RETRYABLE_RECORD_MAX",
      "has no secantus.transactions._RETRYABLE_RECORD_MAX",
    ],
    [
      "transactions.TransactionRegistry.prune_expired = lambda self: 0",
      "does not call _prune_locked in TransactionRegistry.prune_expired",
    ],
    ["cli.main = lambda: 0", "does not call wait in secantus.cli.main"],
    ["del transactions.TxnState", "has changed (cannot import name 'TxnState' "],
  ])("refuse an upgrade with %s", (upgrade, reason) => {
    if (!server.endsWithInput) return;
    const { status, errors } = applyPatches(upgrade);
    expect(status).toBe(1);
    expect(errors).toMatch(/^secantusdb \S+ .*: see docs\/decisions\/005-embedded-database\.md\n$/);
    expect(errors).toContain(reason);
  });

  it("stop the start of the database and show that line", async (context) => {
    context.skip(!server.endsWithInput);
    const dataDir = await mkdtemp(join(tmpdir(), "database-patches-test-"));
    const source = program(
      "del transactions.TransactionRegistry._prune_locked",
      `runpy.run_path(${JSON.stringify(join(folder, "serve.py"))}, run_name="__main__")`,
    );
    const command: ServerCommand = { ...server, args: ["-I", "-B", "-c", source] };
    const keeper = fork(join(folder, "keeper.mjs"), [JSON.stringify(command)], {
      cwd: dataDir,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const exited = once(keeper, "exit");
    const [outcome] = (await once(keeper, "message")) as [{ failed?: string }];
    expect(outcome.failed).toMatch(
      /^secantusdb \S+ has no TransactionRegistry\._prune_locked\(self\): see docs/,
    );
    expect(await exited).toEqual([1, null]);
    await rm(dataDir, { recursive: true, force: true });
  });
});
