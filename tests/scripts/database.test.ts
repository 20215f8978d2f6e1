import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import mongoose from "mongoose";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { acquireDatabase, DatabaseError, findDatabase } from "../../scripts/database/index";
import { prepareServer } from "../../scripts/database/install";
import { until } from "../support/commands";
import { mountSmallDisk } from "../support/outages";

// Each start of a server takes seconds, so that one test proves all that its server shows.

const require = createRequire(import.meta.url);
const loader = pathToFileURL(require.resolve("tsx")).href;
const moduleOf = (name: string) =>
  JSON.stringify(new URL(`../../scripts/database/${name}`, import.meta.url).href);

/** A folder of the test's own, and the data folder in it. */
let parent: string;
let dataDir: string;
const children: ChildProcess[] = [];
const seenPids = new Set<number>();

beforeAll(async () => {
  await prepareServer();
}, 300_000);

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "database-test-"));
  dataDir = join(parent, "data");
});

afterEach(async ({ task }) => {
  vi.unstubAllEnvs();
  for (const child of children.splice(0)) child.kill("SIGKILL");
  const pids = [...seenPids].filter(isRunning);
  seenPids.clear();
  // A test that failed has not released its databases, which would hold up this test and the next ones.
  if (task.result?.state === "fail") for (const pid of pids) process.kill(pid, "SIGKILL");
  await gone(...pids);
  await rm(parent, { recursive: true, force: true, maxRetries: 5 });
});

interface State {
  pid: number;
  serverPid: number;
  port: number;
}

function state(folder = dataDir): State {
  const read = JSON.parse(readFileSync(join(folder, "database.json"), "utf8")) as State;
  seenPids.add(read.pid).add(read.serverPid);
  return read;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    return line.slice(line.lastIndexOf(")")).split(" ")[1] !== "Z";
  } catch {
    return process.platform !== "linux";
  }
}

const gone = (...pids: number[]) => until(() => !pids.some((pid) => isRunning(pid)));

/** Runs a module in a process of its own; the module prints its results line by line. */
function runModule(source: string) {
  const child = spawn(
    process.execPath,
    ["--import", loader, "--input-type=module", "--eval", source],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    line: async () => String((await lines.next()).value),
    exited: once(child, "exit"),
  };
}

/** Another command that holds the database until its input ends, and then releases it or forgets to. */
const runHolder = ({ forgets = false } = {}) =>
  runModule(`
    import { acquireDatabase } from ${moduleOf("index.ts")};
    const database = await acquireDatabase({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(database.uri);
    process.stdin.resume().on("end", () => ${forgets ? "{}" : "database.release()"});
  `);

/** The reviews of a database, whose ids a test adds. */
async function reviewsIn(uri: string, options: mongoose.ConnectOptions = {}) {
  const client = await mongoose.createConnection(uri, options).asPromise();
  const reviews = client.collection<{ _id: string }>("reviews");
  const durable = { writeConcern: { w: "majority", j: true } } as const;
  return {
    client,
    reviews,
    add: (...ids: string[]) =>
      reviews.insertMany(
        ids.map((_id) => ({ _id })),
        durable,
      ),
    ids: async () => (await reviews.distinct("_id")).sort(),
    close: () => client.close(),
  };
}

const onPosix = it.skipIf(process.platform === "win32");

describe("the server of a data folder", () => {
  onPosix(
    "starts with the first holder, keeps its secret and its port to itself, and ends when the last one releases it, also by a link",
    async () => {
      expect(await findDatabase(dataDir)).toBeNull();
      const first = await acquireDatabase({ dataDir });
      expect(first.uri).toMatch(
        /^mongodb:\/\/127\.0\.0\.1:\d+\/tour_reviews\?replicaSet=secantus$/,
      );
      expect(await findDatabase(dataDir)).toBe(first.uri);
      const { pid, serverPid, port } = state();
      const link = join(parent, "link");
      await symlink(dataDir, link);
      const second = await acquireDatabase({ dataDir: link });
      expect(second.uri).toBe(first.uri);

      expect((await stat(join(dataDir, "database.json"))).mode & 0o777).toBe(0o600);
      if (process.platform === "linux") {
        const listening = ["tcp", "tcp6"]
          .flatMap((file) => readFileSync(`/proc/net/${file}`, "utf8").split("\n"))
          .map((line) => line.trim().split(/\s+/))
          .filter((columns) => columns[3] === "0A")
          .map((columns) => columns[1]!);
        for (const open of [port, Number(new URL(first.uri).port)]) {
          const hex = open.toString(16).toUpperCase().padStart(4, "0");
          expect(listening.filter((at) => at.endsWith(`:${hex}`))).toEqual([`0100007F:${hex}`]);
        }
      }

      await first.release();
      expect(await findDatabase(join(link, "..", "link"))).toBe(first.uri);
      // A client that is still connected does not delay the server's end.
      const { client, close } = await reviewsIn(second.uri, { serverSelectionTimeoutMS: 500 });
      await client.db!.command({ ping: 1 });
      const started = Date.now();
      await Promise.all([second.release(), second.release()]);
      expect(Date.now() - started).toBeLessThan(25_000);
      expect(isRunning(serverPid)).toBe(false);
      await gone(pid);
      expect(await findDatabase(dataDir)).toBeNull();
      expect(existsSync(join(dataDir, "database.json"))).toBe(false);
      await close();
    },
  );

  it("can be released and acquired again at once, with its data", async () => {
    for (const round of ["first", "second"]) {
      const database = await acquireDatabase({ dataDir });
      const { add, ids, close } = await reviewsIn(database.uri);
      await add(round);
      expect(await ids()).toEqual(round === "first" ? ["first"] : ["first", "second"]);
      await close();
      state();
      await Promise.all([
        database.release(),
        acquireDatabase({ dataDir }).then((other) => other.release()),
      ]);
    }
  });

  onPosix(
    "is for its owner alone, also in a folder that was open to others, and begins a long log anew beside the last one",
    async () => {
      const log = join(dataDir, "database.log");
      await mkdir(join(dataDir, "database"), { recursive: true });
      await writeFile(log, "x".repeat(6 * 1024 * 1024));
      for (const name of ["", "database", "database.log"]) await chmod(join(dataDir, name), 0o755);
      const database = await acquireDatabase({ dataDir });
      state();
      const names = ["", ...(await readdir(dataDir, { recursive: true }))];
      expect(names).toContain("database/WiredTiger.wt");
      for (const name of names) {
        const entry = await stat(join(dataDir, name)).catch(() => null);
        // The server has files that it removes again.
        if (!entry) continue;
        expect([name, entry.mode & 0o777]).toEqual([name, entry.isDirectory() ? 0o700 : 0o600]);
      }
      expect((await stat(`${log}.old`)).size).toBeGreaterThan(6_000_000);
      expect((await stat(log)).size).toBeLessThan(1_000_000);
      expect(await readFile(log, "utf8")).toContain("answers at port");
      await database.release();
    },
  );

  it("is the same one for commands that start at the same time, in a process group of its own, and ends with the last one, however that ends", async () => {
    const [good, forgetful, killed] = [runHolder(), runHolder({ forgets: true }), runHolder()];
    const uris = await Promise.all([good, forgetful, killed].map((holder) => holder.line()));
    expect(new Set(uris).size).toBe(1);
    expect(uris[0]).toMatch(/^mongodb:/);
    const { pid, serverPid } = state();
    const group = (of: number) =>
      readFileSync(`/proc/${of}/stat`, "utf8").split(") ")[1]!.split(" ")[2];
    if (process.platform === "linux")
      expect([group(pid), group(serverPid)]).toEqual([String(pid), String(pid)]);
    for (const { child, exited } of [good, forgetful]) {
      child.stdin.end();
      expect(await exited).toEqual([0, null]);
      expect(isRunning(serverPid)).toBe(true);
    }
    killed.child.kill("SIGKILL");
    await gone(pid, serverPid);
    expect(await findDatabase(dataDir)).toBeNull();
  });
});

describe("a folder that was copied or moved while its database ran", () => {
  const copyOf = async (folder: string, name = "copy") => {
    const copy = join(parent, name);
    await cp(folder, copy, { recursive: true, preserveTimestamps: true });
    return copy;
  };

  it("has in its copy a database of its own", async () => {
    const first = await acquireDatabase({ dataDir });
    const live = await reviewsIn(first.uri);
    await live.add("kept", "deleted");
    const copy = await copyOf(dataDir);
    expect(await findDatabase(copy)).toBeNull();

    const second = await acquireDatabase({ dataDir: copy });
    const drill = await reviewsIn(second.uri);
    await drill.reviews.deleteOne({ _id: "deleted" });
    expect(await drill.ids()).toEqual(["kept"]);
    expect(await live.ids()).toEqual(["deleted", "kept"]);
    expect(await findDatabase(dataDir)).toBe(first.uri);
    expect(await findDatabase(copy)).toBe(second.uri);
    expect(second.uri).not.toBe(first.uri);

    const { pid, serverPid } = state(copy);
    await drill.close();
    await second.release();
    await gone(pid, serverPid);
    expect(await live.ids()).toEqual(["deleted", "kept"]);
    expect(isRunning(state().serverPid)).toBe(true);
    await live.close();
    await first.release();
  });

  onPosix("has in its copy no server that a killed keeper has left", async () => {
    const first = await acquireDatabase({ dataDir });
    // A server that does not notice that its keeper has ended.
    const { pid, serverPid } = state();
    process.kill(serverPid, "SIGSTOP");
    process.kill(pid, "SIGKILL");
    const copy = await copyOf(dataDir);
    const second = await acquireDatabase({ dataDir: copy });
    state(copy);
    expect(isRunning(serverPid)).toBe(true);
    await second.release();

    const again = await acquireDatabase({ dataDir });
    expect(isRunning(serverPid)).toBe(false);
    state();
    await again.release();
    await first.release();
  });

  onPosix(
    "is found at its new path, and is no obstacle to a new one at its old path, nor after it was deleted",
    async () => {
      const first = await acquireDatabase({ dataDir });
      const live = await reviewsIn(first.uri);
      const moved = join(parent, "moved");
      await rename(dataDir, moved);
      expect(await findDatabase(moved)).toBe(first.uri);
      expect(await findDatabase(dataDir)).toBeNull();
      const second = await acquireDatabase({ dataDir });
      const other = await reviewsIn(second.uri);
      await live.add("moved");
      await other.add("new");
      const { serverPid } = state(moved);
      state();
      // A server that is restarted opens the files that it wrote, not those that are now at its old path.
      process.kill(serverPid, "SIGKILL");
      await until(() => state(moved).serverPid !== serverPid);
      expect(await live.ids()).toEqual(["moved"]);
      expect(await other.ids()).toEqual(["new"]);
      await live.close();
      await other.close();
      await second.release();

      const deleted = state(moved);
      await rm(moved, { recursive: true });
      const third = await acquireDatabase({ dataDir: moved });
      expect(third.uri).not.toBe(first.uri);
      const current = state(moved);
      await first.release();
      await gone(deleted.pid, deleted.serverPid);
      expect(state(moved)).toEqual(current);
      expect(await findDatabase(moved)).toBe(third.uri);
      await third.release();
    },
  );

  it("says in one line that a file of its copy is of another time, cut off or missing", async () => {
    const first = await acquireDatabase({ dataDir });
    state();
    await first.release();
    const spoilt = [
      ["WiredTiger.turtle", (file: string) => writeFile(file, "nonsense")],
      ["secantus_oplog.wt", (file: string) => writeFile(file, "cut off")],
      ["secantus_indexes.wt", (file: string) => rm(file)],
    ] as const;
    await Promise.all(
      spoilt.map(async ([name, spoil]) => {
        const copy = await copyOf(dataDir, name);
        await spoil(join(copy, "database", name));
        await expect(acquireDatabase({ dataDir: copy }), name).rejects.toThrow(
          /^The embedded database did not start: its files are damaged or incomplete, .*database\.log\)\.$/,
        );
      }),
    );
  });
});

describe("after a crash", () => {
  it("a killed server comes back at its port with everything that it acknowledged, and is given up if it dies again and again", async () => {
    const database = await acquireDatabase({ dataDir });
    const { client, reviews, close } = await reviewsIn(database.uri, { retryWrites: false });
    await client.createCollection("reviews");
    const acknowledged: string[] = [];
    let onAcknowledged = () => {};
    let writing = true;
    // In transactions, as the app writes: for other writes the server itself does not honour `j`.
    const writer = async (name: string) => {
      for (let number = 0; writing; number++) {
        const _id = `${name}-${number}`;
        const session = await client.startSession();
        try {
          session.startTransaction({ writeConcern: { w: "majority", j: true } });
          await reviews.insertOne({ _id }, { session });
          await session.commitTransaction();
          acknowledged.push(_id);
          onAcknowledged();
        } catch {
          await delay(20);
        } finally {
          await session.endSession();
        }
      }
    };
    const writers = ["a", "b", "c", "d"].map(writer);
    for (let kill = 0; kill < 2; kill++) {
      const before = acknowledged.length;
      await until(() => acknowledged.length > before + 20);
      const { serverPid } = state();
      // At the very moment of an acknowledgement, when the acknowledged write may still be only in memory.
      await new Promise<void>((resolve) => (onAcknowledged = resolve));
      process.kill(serverPid, "SIGKILL");
      await until(() => state().serverPid !== serverPid);
      expect(await findDatabase(dataDir)).toBe(database.uri);
    }
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 20);
    writing = false;
    await Promise.all(writers);
    const stored = new Set((await reviews.find().toArray()).map(({ _id }) => _id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    await close();

    const { pid } = state();
    let killed = 0;
    await until(() => {
      if (!isRunning(pid)) return true;
      if (!existsSync(join(dataDir, "database.json"))) return false;
      const { serverPid } = state();
      if (serverPid !== killed) process.kill((killed = serverPid), "SIGKILL");
      return false;
    });
    expect(await findDatabase(dataDir)).toBeNull();
    expect(await readFile(join(dataDir, "database.log"), "utf8")).toContain("giving up");
    await database.release();
  });

  it("what the transaction of a killed client has claimed is free again within seconds", async (context) => {
    // A native server handles this itself.
    context.skip(!(await prepareServer()).endsWithInput);
    const database = await acquireDatabase({ dataDir });
    const client = await mongoose.createConnection(database.uri).asPromise();
    const tours = client.collection<{ _id: string; claims: number }>("tours");
    await tours.insertOne({ _id: "tour", claims: 0 });
    const claimer = runModule(`
      import mongoose from "mongoose";
      const client = await mongoose.createConnection(${JSON.stringify(database.uri)}).asPromise();
      const session = await client.startSession();
      session.startTransaction();
      const tours = client.collection("tours");
      await tours.updateOne({ _id: "tour" }, { $inc: { claims: 100 } }, { session });
      console.log("claimed");
    `);
    await claimer.line();
    claimer.child.kill("SIGKILL");
    await claimer.exited;

    const claim = (session?: mongoose.ClientSession) =>
      tours.updateOne({ _id: "tour" }, { $inc: { claims: 1 } }, { session });
    const session = await client.startSession();
    session.startTransaction();
    await expect(claim(session)).rejects.toThrow();
    await session.endSession();
    // Without a transaction, because each statement of one makes the server look for old transactions.
    await until(() => claim().then(Boolean, () => false));
    expect(await tours.findOne()).toEqual({ _id: "tour", claims: 1 });
    await client.close();
    await database.release();
  });

  it.for([
    ["has little space left", 30, "everything acknowledged"],
    ["is full at once", 0, "everything acknowledged before the write at which it stops"],
  ] as const)("a disk that %s stops the server (%i MB) and keeps %s", async ([, left], context) => {
    const mountPoint = join(parent, "disk");
    await mkdir(mountPoint);
    const disk = mountSmallDisk(mountPoint, 200);
    context.skip(!disk, "no file system can be mounted here");
    dataDir = join(mountPoint, "data");
    const notices: string[] = [];
    const onNotice = (line: string) => notices.push(line);
    try {
      const database = await acquireDatabase({ dataDir, onNotice });
      const { serverPid } = state();
      const options = { retryWrites: false, serverSelectionTimeoutMS: 2_000 };
      const client = await mongoose.createConnection(database.uri, options).asPromise();
      const writes = client.collection<{ _id: number; text: string }>("writes");
      const durable = { writeConcern: { w: "majority", j: true } } as const;
      const acknowledged: number[] = [];
      // Small ones where space is left, so that a busy machine has seconds to notice.
      const size = left ? 200 : 20_000;
      const write = async (_id: number) => {
        await writes.insertOne({ _id, text: String(_id).repeat(size) }, durable);
        acknowledged.push(_id);
      };
      await write(10_000);
      await disk!.fill(left);
      for (let _id = 10_001; notices.length === 0; _id++) await write(_id).catch(() => delay(20));
      const full = "No space left on device: the server is started again when there is some";
      expect(notices).toEqual([`The embedded database: ${full}`]);
      // The server needs 10 MB for its next log file.
      if (left) expect(disk!.left()).toBeGreaterThan(12);
      // It no longer answers at all, not even pings.
      await until(() => !isRunning(serverPid));

      await disk!.free();
      await until(() => notices.length > 1);
      expect(notices.slice(1)).toEqual(["The embedded database: the server runs again"]);
      expect(await findDatabase(dataDir)).toBe(database.uri);
      expect(state().serverPid).not.toBe(serverPid);
      await until(() =>
        write(1).then(
          () => true,
          () => false,
        ),
      );
      const stored = new Set((await writes.find().toArray()).map((found) => found._id));
      const lost = acknowledged.filter((id) => !stored.has(id));
      // On a full disk it may acknowledge the write at which it ends (docs/decisions/005-embedded-database.md).
      expect(left ? [[]] : [[], acknowledged.slice(-2, -1)]).toContainEqual(lost);
      await client.close();
      await database.release();
    } finally {
      disk!.unmount();
    }
  });

  it("a killed keeper is noticed, its server ends, and the next one has its port and its data", async () => {
    const first = await acquireDatabase({ dataDir });
    const before = await reviewsIn(first.uri);
    await before.add("kept");
    await before.close();
    const killed = state();
    process.kill(killed.pid, "SIGKILL");
    await first.lost;
    const second = await acquireDatabase({ dataDir });
    expect(second.uri).toBe(first.uri);
    expect(isRunning(killed.serverPid)).toBe(false);
    expect(state().serverPid).not.toBe(killed.serverPid);
    const after = await reviewsIn(second.uri);
    expect(await after.ids()).toEqual(["kept"]);
    await after.close();

    // If another program has taken the port meanwhile, that program keeps it.
    process.kill(state().pid, "SIGKILL");
    await second.lost;
    await gone(state().serverPid);
    const stranger = createServer().listen(Number(new URL(first.uri).port), "127.0.0.1");
    await once(stranger, "listening");
    const third = await acquireDatabase({ dataDir });
    expect(third.uri).not.toBe(first.uri);
    state();
    let lost = false;
    void third.lost.then(() => (lost = true));
    await third.release();
    await first.release();
    await second.release();
    expect(lost).toBe(false);
    stranger.close();
  });

  onPosix(
    "the file of a crashed command, or one that contains nonsense, counts for nothing",
    async () => {
      await mkdir(dataDir);
      const file = join(dataDir, "database.json");
      for (const text of [
        "",
        '{"pid": 1, "por',
        '{"port": 70000, "knock": "knock", "answer": "answer"}',
        '{"port": "here", "knock": "knock", "answer": "answer"}',
        '{"port": 1, "knock": ["knock"], "answer": "answer"}',
        '{"pid": -1, "serverPid": 0, "port": 1, "knock": "knock", "answer": "answer"}',
      ]) {
        await writeFile(file, text);
        expect(await findDatabase(dataDir), text).toBeNull();
      }
      // A stranger that got the crashed keeper's port, and another that got its process id.
      const stranger = createServer((socket) => socket.pipe(socket));
      stranger.listen(0, "127.0.0.1");
      await once(stranger, "listening");
      const bystander = spawn("sleep", ["60"]);
      children.push(bystander);
      const { port } = stranger.address() as AddressInfo;
      const crashed = { pid: process.pid, serverPid: bystander.pid, port };
      await writeFile(file, JSON.stringify({ ...crashed, knock: "knock", answer: "answer" }));
      expect(await findDatabase(dataDir)).toBeNull();
      const database = await acquireDatabase({ dataDir });
      expect(await findDatabase(dataDir)).toBe(database.uri);
      state();
      expect(isRunning(bystander.pid!)).toBe(true);
      await database.release();
      stranger.close();
    },
  );

  onPosix("a server that lost its keeper and its watch is ended first", async () => {
    await mkdir(dataDir);
    const server = await prepareServer();
    const orphan = spawn(
      server.file,
      [...server.args, "--host", "127.0.0.1", "--port", "0", "--storage-path", "database"],
      { cwd: dataDir, stdio: ["pipe", "pipe", "pipe"] },
    );
    children.push(orphan);
    let output = "";
    orphan.stdout.on("data", (text) => (output += text));
    orphan.stderr.on("data", (text) => (output += text));
    await until(() => output.includes("listening"));
    const keeper = spawn("true");
    await once(keeper, "exit");
    await writeFile(
      join(dataDir, "database.json"),
      JSON.stringify({ pid: keeper.pid, serverPid: orphan.pid }),
    );
    const database = await acquireDatabase({ dataDir });
    expect(isRunning(orphan.pid!)).toBe(false);
    state();
    await database.release();
  });

  onPosix(
    "tells a full disk from damaged files, and reports a folder that cannot be used",
    async () => {
      const bin = join(parent, "bin");
      await mkdir(bin);
      const native = join(bin, "secantusd-rs");
      const answer = (line: string) =>
        writeFile(
          native,
          `#!/bin/sh\n[ "$1" = --help ] && echo --sync-on-commit && exit\necho "WT_PANIC"\necho "${line}"\nexit 1\n`,
          { mode: 0o755 },
        );
      vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
      await answer("");
      const start = acquireDatabase({ dataDir });
      await expect(start).rejects.toThrow("did not start: its files are damaged");
      await answer("No space left on device");
      const again = acquireDatabase({ dataDir });
      await expect(again).rejects.toThrow("did not start: No space left on device");

      const file = join(parent, "file");
      await writeFile(file, "");
      await expect(acquireDatabase({ dataDir: file })).rejects.toThrow(DatabaseError);
    },
  );
});

describe.skipIf(process.platform === "win32")("the setup", () => {
  let cacheDir: string;
  let bin: string;
  let env: Partial<NodeJS.ProcessEnv>;
  const calls = async () =>
    (await readFile(join(bin, "calls"), "utf8").catch(() => "")).split("\n").filter(Boolean);

  beforeEach(async () => {
    cacheDir = join(parent, "cache");
    bin = join(parent, "bin");
    await mkdir(bin);
    env = { PATH: bin };
  });

  /** A Python that only records the commands that it is given. */
  async function addPython({ minor = 12, missing = "", pip = "true" } = {}) {
    const file = join(bin, "python3");
    await writeFile(
      file,
      `#!/bin/sh
PATH=/usr/bin:/bin
for last; do :; done
case "$2 $3" in
  "-c "*) echo '{"file": "${file}", "version": "3.${minor}.1", "minor": ${minor}, "standard": true, "missing": [${missing}]}' ;;
  "-m venv") mkdir -p "$last/bin"; cp "$0" "$last/bin/python"; echo venv >>"${bin}/calls"; sleep 0.5 ;;
  "-m pip") echo pip >>"${bin}/calls"; ${pip} ;;
esac
`,
    );
    await chmod(file, 0o755);
  }

  const setUpElsewhere = () =>
    runModule(
      `
        import { prepareServer } from ${moduleOf("install.ts")};
        const { file } = await prepareServer({
          cacheDir: ${JSON.stringify(cacheDir)},
          env: ${JSON.stringify(env)},
        });
        console.log(file);
      `,
    );

  it("says what to install if Python is missing", async () => {
    const setUp = prepareServer({ cacheDir, env });
    await expect(setUp).rejects.toBeInstanceOf(DatabaseError);
    await expect(setUp).rejects.toThrow(
      /^The embedded database needs Python 3\.10 to 3\.13 with venv and pip\. .*apt-get install python3 python3-venv python3-pip.*MONGODB_URI.*$/,
    );
  });

  it("names a Python that is unsuitable", async () => {
    await addPython({ minor: 9 });
    await expect(prepareServer({ cacheDir, env })).rejects.toThrow(
      "with venv and pip (found: 3.9.1).",
    );
    await addPython({ minor: 11, missing: '"pip"' });
    await expect(prepareServer({ cacheDir, env })).rejects.toThrow(
      "with venv and pip (found: 3.11.1 without pip).",
    );
  });

  it("happens once, even for commands at the same time, and shows its progress", async () => {
    await addPython();
    const messages: string[] = [];
    const [here, there] = await Promise.all([
      prepareServer({ cacheDir, env, onProgress: (m) => messages.push(m) }),
      setUpElsewhere().line(),
    ]);
    expect(there).toBe(here.file);
    expect(await calls()).toEqual(["venv", "pip"]);
    expect(messages.length).toBeGreaterThan(0);
    await prepareServer({ cacheDir, env });
    expect(await calls()).toEqual(["venv", "pip"]);
  });

  it("leaves nothing that could be taken for an installation when pip fails", async () => {
    await addPython({ pip: 'echo "ERROR: No space left on device"; exit 1' });
    await expect(prepareServer({ cacheDir, env })).rejects.toThrow(
      /because pip failed: No space left on device .*MONGODB_URI/,
    );
    expect(await readdir(cacheDir)).toEqual(["setup.log"]);
    await addPython();
    const { file } = await prepareServer({ cacheDir, env });
    expect(existsSync(file)).toBe(true);
  });

  it("installs again after a command was killed while installing", async () => {
    await addPython();
    const { child, exited } = setUpElsewhere();
    await until(async () => (await calls()).length === 1);
    child.kill("SIGKILL");
    await exited;
    const { file } = await prepareServer({ cacheDir, env });
    expect(existsSync(file)).toBe(true);
    expect(await calls()).toEqual(["venv", "venv", "pip"]);
    const left = await readdir(cacheDir);
    expect(left.filter((name) => !/^secantusdb-/.test(name))).toEqual(["setup.log"]);
  });

  it("says why it cannot be done, and who has to do it where this user cannot", async (context) => {
    const disk = mountSmallDisk(parent, 8);
    context.skip(!disk, "no file system can be mounted here");
    try {
      await mkdir(bin);
      await addPython();
      const { file } = await prepareServer({ cacheDir, env });
      await rm(file);
      await symlink("/root/nowhere/python", file);
      await disk!.fill();
      await expect(prepareServer({ cacheDir, env })).rejects.toThrow(
        /^The embedded database cannot be set up: ENOSPC: [^.]*\.$/,
      );
      disk!.makeReadOnly();
      const cannot = "The embedded database cannot be set up: ";
      await expect(prepareServer({ cacheDir, env })).rejects.toThrow(
        new RegExp(`^${cannot}.*a Python that this user cannot run.*: remove ${cacheDir}/`),
      );
      const elsewhere = prepareServer({ cacheDir: join(parent, "other"), env });
      await expect(elsewhere).rejects.toThrow(
        new RegExp(`^${cannot}.* Run npm run db:install as the owner of that folder\\.$`),
      );
    } finally {
      disk!.unmount();
    }
  });

  it("is not needed with a native server that syncs to the disk", async () => {
    const native = join(bin, "secantusd-rs");
    await writeFile(native, "#!/bin/sh\necho --sync-on-commit\n");
    await chmod(native, 0o755);
    const server = await prepareServer({ cacheDir, env });
    expect(server).toEqual({ file: native, args: [], endsWithInput: false });

    await addPython();
    await writeFile(native, "#!/bin/sh\necho --help\n");
    const other = await prepareServer({ cacheDir, env });
    expect(other.file).toContain(cacheDir);
  });
});
