import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import {
  appendFile,
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
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import mongoose from "mongoose";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { acquireDatabase, DatabaseError, findDatabase } from "../../scripts/database/index";
import { prepareServer } from "../../scripts/database/install";
import { outcome } from "../support/commands";
import { mountSmallDisk } from "../support/outages";

const require = createRequire(import.meta.url);
const loader = pathToFileURL(require.resolve("tsx")).href;
const moduleOf = (name: string) =>
  JSON.stringify(new URL(`../../scripts/database/${name}`, import.meta.url).href);

let dataDir: string;
const children: ChildProcess[] = [];
const seenPids = new Set<number>();

beforeAll(async () => {
  await prepareServer();
}, 300_000);

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "database-test-"));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await gone(...seenPids);
  seenPids.clear();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

function state(folder = dataDir): { pid: number; serverPid: number; port: number } {
  const read = JSON.parse(readFileSync(join(folder, "database.json"), "utf8")) as {
    pid: number;
    serverPid: number;
    port: number;
  };
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

async function until(condition: () => boolean | Promise<boolean>) {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`never: ${String(condition)}`);
    await delay(20);
  }
}

const gone = (...pids: number[]) => until(() => !pids.some((pid) => isRunning(pid)));

/** Runs a module in a process of its own; the module prints its results line by line. */
function runModule(source: string, env = process.env) {
  const child = spawn(
    process.execPath,
    ["--import", loader, "--input-type=module", "--eval", source],
    { env, stdio: ["pipe", "pipe", "inherit"] },
  );
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    line: async () => String((await lines.next()).value),
    exited: once(child, "exit"),
  };
}

/** Another command that holds the database until its input ends. */
const runHolder = () =>
  runModule(`
    import { acquireDatabase } from ${moduleOf("index.ts")};
    const database = await acquireDatabase({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(database.uri);
    process.stdin.resume().on("end", () => database.release());
  `);

const onPosix = it.skipIf(process.platform === "win32");

describe("the server of a data folder", () => {
  it("starts with the first holder and ends when the last one releases it", async () => {
    expect(await findDatabase(dataDir)).toBeNull();
    const first = await acquireDatabase({ dataDir });
    expect(first.uri).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\/tour_reviews\?replicaSet=secantus$/);
    expect(await findDatabase(dataDir)).toBe(first.uri);
    const { pid, serverPid } = state();
    const second = await acquireDatabase({ dataDir });
    expect(second.uri).toBe(first.uri);

    await first.release();
    expect(await findDatabase(dataDir)).toBe(first.uri);
    // A client that is still connected does not delay the server's end.
    const client = await mongoose
      .createConnection(second.uri, { serverSelectionTimeoutMS: 500 })
      .asPromise();
    await client.db!.command({ ping: 1 });

    const started = Date.now();
    await Promise.all([second.release(), second.release()]);
    expect(Date.now() - started).toBeLessThan(25_000);
    expect(isRunning(serverPid)).toBe(false);
    await gone(pid);
    expect(await findDatabase(dataDir)).toBeNull();
    expect(existsSync(join(dataDir, "database.json"))).toBe(false);
    await client.close();
  });

  it("can be released and acquired again at once, with its data", async () => {
    for (let round = 1; round <= 3; round++) {
      const database = await acquireDatabase({ dataDir });
      const client = await mongoose.createConnection(database.uri).asPromise();
      const rounds = client.collection("rounds");
      await rounds.insertOne({ round });
      expect(await rounds.countDocuments()).toBe(round);
      await client.close();
      state();
      await Promise.all([
        database.release(),
        acquireDatabase({ dataDir }).then((other) => other.release()),
      ]);
    }
  });

  it("keeps its secret and its port to itself", async () => {
    const database = await acquireDatabase({ dataDir });
    const { port } = state();
    if (process.platform !== "win32") {
      const { mode } = await stat(join(dataDir, "database.json"));
      expect(mode & 0o777).toBe(0o600);
    }
    if (process.platform === "linux") {
      const listening = ["tcp", "tcp6"]
        .flatMap((file) => readFileSync(`/proc/net/${file}`, "utf8").split("\n"))
        .map((line) => line.trim().split(/\s+/))
        .filter((columns) => columns[3] === "0A")
        .map((columns) => columns[1]!);
      for (const open of [port, Number(new URL(database.uri).port)]) {
        const hex = open.toString(16).toUpperCase().padStart(4, "0");
        expect(listening.filter((at) => at.endsWith(`:${hex}`))).toEqual([`0100007F:${hex}`]);
      }
    }
    await database.release();
  });

  onPosix("is for its owner alone, also in a folder that was open to others", async () => {
    await writeFile(join(dataDir, "database.log"), "x".repeat(6 * 1024 * 1024));
    await mkdir(join(dataDir, "database"));
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
    await database.release();
  });

  onPosix("begins its log anew when it is long, and keeps the last one beside it", async () => {
    const log = join(dataDir, "database.log");
    const database = await acquireDatabase({ dataDir });
    await appendFile(log, "x".repeat(6 * 1024 * 1024));
    expect((await stat(log)).size).toBeGreaterThan(6_000_000);
    // The log notes its end.
    process.kill(state().serverPid, "SIGKILL");
    await until(async () => (await stat(log)).size < 1_000_000);
    expect((await stat(`${log}.old`)).size).toBeGreaterThan(6_000_000);
    await until(async () => (await readFile(log, "utf8")).includes("the server runs again"));
    await database.release();
  });

  it("is the same one for commands that start at the same time", async () => {
    const holders = [runHolder(), runHolder(), runHolder()];
    const uris = await Promise.all(holders.map((holder) => holder.line()));
    expect(new Set(uris).size).toBe(1);
    expect(uris[0]).toMatch(/^mongodb:/);
    const { pid, serverPid } = state();
    for (const holder of holders) {
      expect(isRunning(serverPid)).toBe(true);
      holder.child.stdin.end();
      expect(await holder.exited).toEqual([0, null]);
    }
    expect(isRunning(serverPid)).toBe(false);
    await gone(pid);
  });

  it("keeps no command alive, and ends with a command that forgets to release it", async () => {
    const { child, line, exited } = runModule(`
      import { readFileSync } from "node:fs";
      import { acquireDatabase } from ${moduleOf("index.ts")};
      await acquireDatabase({ dataDir: ${JSON.stringify(dataDir)} });
      console.log(readFileSync(${JSON.stringify(join(dataDir, "database.json"))}, "utf8"));
    `);
    const { pid, serverPid } = JSON.parse(await line()) as ReturnType<typeof state>;
    child.stdin.end();
    expect(await exited).toEqual([0, null]);
    await gone(pid, serverPid);
  });

  it("is in a process group of its own, and ends when its only holder is killed", async () => {
    const holder = runHolder();
    await holder.line();
    const { pid, serverPid } = state();
    const group = (of: number) =>
      readFileSync(`/proc/${of}/stat`, "utf8").split(") ")[1]!.split(" ")[2];
    if (process.platform === "linux")
      expect([group(pid), group(serverPid)]).toEqual([String(pid), String(pid)]);
    holder.child.kill("SIGKILL");
    await gone(pid, serverPid);
    expect(await findDatabase(dataDir)).toBeNull();
  });
});

describe("a folder that was copied, linked or moved while its database ran", () => {
  let parent: string;
  beforeEach(() => {
    parent = dataDir;
    dataDir = join(parent, "first");
  });
  afterEach(() => rm(parent, { recursive: true, force: true, maxRetries: 5 }));

  const reviewsIn = async (uri: string) => {
    const client = await mongoose.createConnection(uri).asPromise();
    const reviews = client.collection<{ _id: string }>("reviews");
    const ids = async () => (await reviews.distinct("_id")).sort();
    return { reviews, ids, close: () => client.close() };
  };
  const uriOf = (folder: string) => outcome(["db-uri"], { DATA_DIR: folder });
  const copyOf = async (folder: string) => {
    const copy = join(parent, "copy");
    await cp(folder, copy, { recursive: true, preserveTimestamps: true });
    return copy;
  };

  it("has in its copy a database of its own", async () => {
    const first = await acquireDatabase({ dataDir });
    const live = await reviewsIn(first.uri);
    const options = { writeConcern: { w: "majority", j: true } } as const;
    await live.reviews.insertMany([{ _id: "kept" }, { _id: "deleted" }], options);
    const copy = await copyOf(dataDir);
    expect(await uriOf(copy)).toMatchObject({ code: 1, stdout: "" });
    expect(await findDatabase(copy)).toBeNull();

    const second = await acquireDatabase({ dataDir: copy });
    const drill = await reviewsIn(second.uri);
    await drill.reviews.deleteOne({ _id: "deleted" });
    expect(await drill.ids()).toEqual(["kept"]);
    expect(await live.ids()).toEqual(["deleted", "kept"]);
    expect((await uriOf(dataDir)).last).toBe(first.uri);
    expect((await uriOf(copy)).last).toBe(second.uri);
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

  onPosix("is the same by a link", async () => {
    await mkdir(dataDir);
    const link = join(parent, "link");
    await symlink(dataDir, link);
    const first = await acquireDatabase({ dataDir: link });
    const second = await acquireDatabase({ dataDir });
    expect(second.uri).toBe(first.uri);
    expect(await findDatabase(join(link, "..", "link"))).toBe(first.uri);
    state();
    await first.release();
    await second.release();
  });

  onPosix("is found at its new path, and a new one at the old path is another", async () => {
    const first = await acquireDatabase({ dataDir });
    const live = await reviewsIn(first.uri);
    const moved = join(parent, "moved");
    await rename(dataDir, moved);
    expect(await findDatabase(moved)).toBe(first.uri);
    expect(await findDatabase(dataDir)).toBeNull();
    const second = await acquireDatabase({ dataDir });
    const other = await reviewsIn(second.uri);
    await live.reviews.insertOne({ _id: "moved" });
    await other.reviews.insertOne({ _id: "new" });
    const { serverPid } = state(moved);
    state();
    // A server that is restarted opens the files that it wrote, not those that are now at its old path.
    process.kill(serverPid, "SIGKILL");
    await until(() => state(moved).serverPid !== serverPid);
    expect(await live.ids()).toEqual(["moved"]);
    expect(await other.ids()).toEqual(["new"]);
    await live.close();
    await other.close();
    await first.release();
    await second.release();
    for (const [folder, id] of [
      [moved, "moved"],
      [dataDir, "new"],
    ] as const) {
      const database = await acquireDatabase({ dataDir: folder });
      const again = await reviewsIn(database.uri);
      expect(await again.ids()).toEqual([id]);
      await again.close();
      await database.release();
    }
  });

  onPosix("that was deleted is no obstacle to a new one at its path", async () => {
    const first = await acquireDatabase({ dataDir });
    const { pid, serverPid } = state();
    await rm(dataDir, { recursive: true });
    const second = await acquireDatabase({ dataDir });
    expect(second.uri).not.toBe(first.uri);
    const current = state();
    await first.release();
    await gone(pid, serverPid);
    expect(state()).toEqual(current);
    expect(await findDatabase(dataDir)).toBe(second.uri);
    await second.release();
  });

  it("says in one line that a file of its copy is of another time, cut off or missing", async () => {
    const first = await acquireDatabase({ dataDir });
    const live = await reviewsIn(first.uri);
    await live.reviews.insertOne({ _id: "kept" });
    await live.close();
    state();
    await first.release();
    for (const [name, spoil] of [
      ["WiredTiger.turtle", (file: string) => writeFile(file, "nonsense")],
      ["secantus_oplog.wt", (file: string) => writeFile(file, "cut off")],
      ["secantus_indexes.wt", (file: string) => rm(file)],
    ] as const) {
      const copy = join(parent, name);
      await cp(dataDir, copy, { recursive: true });
      await spoil(join(copy, "database", name));
      await expect(acquireDatabase({ dataDir: copy }), name).rejects.toThrow(
        /^The embedded database did not start: its files are damaged or incomplete, .*database\.log\)\.$/,
      );
    }
  });
});

describe("after a crash", () => {
  it("the server of a killed keeper ends, and the next server has the data", async () => {
    const lost = await acquireDatabase({ dataDir });
    const client = await mongoose.createConnection(lost.uri).asPromise();
    await client
      .collection("kept")
      .insertOne({ kept: true }, { writeConcern: { w: "majority", j: true } });
    await client.close();
    const { pid, serverPid } = state();
    process.kill(pid, "SIGKILL");

    const database = await acquireDatabase({ dataDir });
    expect(isRunning(serverPid)).toBe(false);
    state();
    const again = await mongoose.createConnection(database.uri).asPromise();
    expect(await again.collection("kept").countDocuments()).toBe(1);
    await again.close();
    await database.release();
    await lost.release();
  });

  it("a killed server comes back at its port with everything that it acknowledged", async () => {
    const database = await acquireDatabase({ dataDir });
    const client = await mongoose
      .createConnection(database.uri, { retryWrites: false })
      .asPromise();
    const writes = client.collection<{ _id: string }>("writes");
    await client.createCollection("writes");
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
          await writes.insertOne({ _id }, { session });
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

    const stored = new Set((await writes.find().toArray()).map((d) => d._id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    await client.close();
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
    const mountPoint = join(dataDir, "disk");
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
      const write = async (_id: number) => {
        await writes.insertOne({ _id, text: String(_id).repeat(20_000) }, durable);
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

  it("a killed keeper is noticed, and its server comes back at the same port", async () => {
    const first = await acquireDatabase({ dataDir });
    const killed = state();
    process.kill(killed.pid, "SIGKILL");
    await first.lost;
    const second = await acquireDatabase({ dataDir });
    expect(second.uri).toBe(first.uri);
    expect(isRunning(killed.serverPid)).toBe(false);
    expect(state().serverPid).not.toBe(killed.serverPid);

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

  it("a server that dies again and again is given up with an error", async () => {
    const database = await acquireDatabase({ dataDir });
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

  onPosix("the file of a crashed command counts for nothing", async () => {
    // A stranger that got the crashed keeper's port, and another that got its process id.
    const stranger = createServer((socket) => socket.pipe(socket));
    stranger.listen(0, "127.0.0.1");
    await once(stranger, "listening");
    const bystander = spawn("sleep", ["60"]);
    children.push(bystander);
    await writeFile(
      join(dataDir, "database.json"),
      JSON.stringify({
        pid: process.pid,
        serverPid: bystander.pid,
        port: (stranger.address() as { port: number }).port,
        knock: "knock",
        answer: "answer",
      }),
    );
    expect(await findDatabase(dataDir)).toBeNull();
    const database = await acquireDatabase({ dataDir });
    expect(await findDatabase(dataDir)).toBe(database.uri);
    state();
    expect(isRunning(bystander.pid!)).toBe(true);
    await database.release();
    stranger.close();
  });

  onPosix("a server that lost its keeper and its watch is ended first", async () => {
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

  it("a file that contains nonsense is ignored", async () => {
    for (const text of [
      "",
      '{"pid": 1, "por',
      "null",
      '{"port": 70000, "knock": "knock", "answer": "answer"}',
      '{"port": "here", "knock": "knock", "answer": "answer"}',
      '{"port": 1, "knock": ["knock"], "answer": "answer"}',
      '{"pid": -1, "serverPid": 0, "port": 1, "knock": "knock", "answer": "answer"}',
    ]) {
      await writeFile(join(dataDir, "database.json"), text);
      expect(await findDatabase(dataDir), text).toBeNull();
    }
    const database = await acquireDatabase({ dataDir });
    expect(await findDatabase(dataDir)).toBe(database.uri);
    state();
    await database.release();
  });

  onPosix("tells a full disk from damaged files", async () => {
    const bin = join(dataDir, "bin");
    await mkdir(bin);
    const native = join(bin, "secantusd-rs");
    const answer = (line: string) =>
      writeFile(
        native,
        `#!/bin/sh\n[ "$1" = --help ] && echo --sync-on-commit && exit\necho "WT_PANIC"\necho "${line}"\nexit 1\n`,
      );
    await answer("");
    await chmod(native, 0o755);
    const start = () =>
      runModule(
        `
          import { acquireDatabase } from ${moduleOf("index.ts")};
          const options = { dataDir: ${JSON.stringify(join(dataDir, "data"))} };
          await acquireDatabase(options).catch((error) => console.log(error.message));
        `,
        { ...process.env, PATH: `${bin}:${process.env.PATH}` },
      ).line();
    expect(await start()).toContain("did not start: its files are damaged");
    await answer("No space left on device");
    expect(await start()).toContain("did not start: No space left on device");
  });

  it("reports an unusable folder", async () => {
    const file = join(dataDir, "file");
    await writeFile(file, "");
    await expect(acquireDatabase({ dataDir: file })).rejects.toThrow(DatabaseError);
    await mkdir(join(dataDir, "database"));
    await writeFile(join(dataDir, "database", "WiredTiger"), "nonsense");
    await writeFile(join(dataDir, "database", "WiredTiger.turtle"), "nonsense");
    await expect(acquireDatabase({ dataDir })).rejects.toThrow(
      /^The embedded database did not start: .*database\.log\)\.$/,
    );
  });
});

describe.skipIf(process.platform === "win32")("the setup", () => {
  let cacheDir: string;
  let bin: string;
  let env: Partial<NodeJS.ProcessEnv>;
  const calls = async () =>
    (await readFile(join(bin, "calls"), "utf8").catch(() => "")).split("\n").filter(Boolean);

  beforeEach(async () => {
    cacheDir = join(dataDir, "cache");
    bin = join(dataDir, "bin");
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
    const disk = mountSmallDisk(dataDir, 8);
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
      const elsewhere = prepareServer({ cacheDir: join(dataDir, "other"), env });
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
