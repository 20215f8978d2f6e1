import {
  appendFile,
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildFolder } from "../../scripts/lib/freshness.mjs";
import { freePort } from "../../scripts/lib/ports";
import { call } from "../support/app";
import {
  copyCheckout,
  folder,
  outcome,
  start,
  stop,
  until,
  useCommands,
} from "../support/commands";
import { databaseUri } from "../support/database";

useCommands();

const settings = () => ({
  MONGODB_URI: databaseUri(`build_${process.pid}`),
  SESSION_SECRET: "secret ".repeat(6),
});

/** `npm start` in a checkout. */
const serve = (cwd: string, uid?: number) => start(settings(), { cwd, uid });

/** The content of the page at `/`, and the addresses of the scripts and styles that it loads. */
async function page(site: { url: string }) {
  const { text } = await call(site, "GET", "/signup");
  const files = [...text.matchAll(/"(\/build\/[^"]+)"/g)].map(([, address]) => address!);
  return { title: /<h1>(.*?)<\/h1>/.exec(text)?.[1], files: [...new Set(files)].sort() };
}

/** The status and content at each of these addresses. */
const contentsOf = (site: { url: string }, files: string[]) =>
  Promise.all(
    files.map(async (file) => {
      const { status, text } = await call(site, "GET", file);
      return [file, status, text];
    }),
  );

async function changeTitle(cwd: string, title: string) {
  const file = join(cwd, "app/routes/signup.tsx");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(/<h1>.*<\/h1>/, `<h1>${title}</h1>`));
  await appendFile(join(cwd, "app/ui/styles/page.css"), `\n.${title} { order: 1 }\n`);
}

test("a build next to a running site does not change it, and its files are kept after the restart", async () => {
  const cwd = await copyCheckout("rebuilt");
  let site = await serve(cwd);
  expect(site.stderr()).not.toMatch(/Building|Installing/);
  const before = await page(site);
  expect(before.title).toBe("Sign up");
  expect(await readFile(join(cwd, buildFolder(cwd), "index.js"), "utf8")).toContain(
    'mode = "production"',
  );
  const contents = await contentsOf(site, before.files);
  expect(contents.map(([, status]) => status)).toEqual(before.files.map(() => 200));
  expect(before.files.some((file) => file.endsWith(".css"))).toBe(true);

  await changeTitle(cwd, "Second");
  expect(await outcome(["build"], {}, { cwd })).toMatchObject({ code: 0, errors: [] });
  const unchanged = async () => {
    expect(await page(site)).toEqual(before);
    expect(await contentsOf(site, before.files)).toEqual(contents);
  };
  await unchanged();
  // A process that replaces a dead one serves the same build as the others.
  const pid = /"pid":(\d+)/.exec(site.stderr())![1]!;
  process.kill(Number(pid), "SIGKILL");
  const answers = (path: string) =>
    call(site, "GET", path).then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(async () => {
    await answers("/livez");
    return site.stderr().includes("another one takes its place");
  });
  await until(() => answers("/healthz"));
  await unchanged();
  await stop(site);

  site = await serve(cwd);
  expect(site.stderr()).not.toContain("Building");
  const after = await page(site);
  expect(after.title).toBe("Second");
  expect(after.files).not.toEqual(before.files);
  expect(await contentsOf(site, before.files)).toEqual(contents);
  await stop(site);
}, 600_000);

test("a checkout that cannot be written serves when it is built, without a compiler, and says in one line if something is missing", async () => {
  const cwd = await copyCheckout("read-only");
  // Root may write anywhere.
  const uid = process.getuid!() === 0 ? 65_534 : undefined;
  await chmod(folder, 0o755);
  const setMode = async (mode: number) => {
    for (const name of ["", "build", "public", "public/build", "node_modules"])
      await chmod(join(cwd, name), mode);
  };
  const compiler = join(cwd, "node_modules/tsx");
  const compilerLink = await readlink(compiler);
  await rm(compiler);
  await setMode(0o555);
  const site = await serve(cwd, uid);
  expect(site.stderr()).not.toMatch(/Building|Installing/);
  expect((await page(site)).title).toBe("Sign up");
  const { code, stdout } = await outcome(["users", "--help"], {}, { cwd, uid });
  expect([code, stdout]).toEqual([0, expect.stringContaining("Usage: npm run users")]);
  await stop(site);
  await setMode(0o755);
  await symlink(compilerLink, compiler);
  await setMode(0o555);

  const needed = { ...settings(), PORT: String(await freePort()) };
  await appendFile(join(cwd, "app/root.tsx"), "\n");
  const unbuilt = await outcome(["start"], needed, { cwd, uid });
  expect(unbuilt).toMatchObject({
    code: 1,
    errors: [expect.stringMatching(/^The app is not built from the sources in .*npm run build/)],
  });

  const lock = join(cwd, "package-lock.json");
  const text = await readFile(lock, "utf8");
  await writeFile(lock, text.replace(/("node_modules\/zod": \{\s*"version": ")[^"]+/, "$10.0.0"));
  const uninstalled = await outcome(["start"], needed, { cwd, uid });
  expect(uninstalled).toMatchObject({
    code: 1,
    errors: [
      expect.stringMatching(/^The packages of package-lock\.json are not installed in .*npm ci/),
    ],
  });
  await setMode(0o755);
});

test.skipIf(process.platform === "win32")(
  "commands that find no packages install them once, even after a killed installation",
  async () => {
    const cwd = await copyCheckout("not-installed");
    const complete = await readlink(join(cwd, "node_modules/.package-lock.json"));
    await rm(join(cwd, "node_modules/.package-lock.json"));
    const bin = join(folder, "bin");
    await mkdir(bin);
    const npm = `#!/bin/sh
      echo "$@" >> installations
      sleep 2
      ln -s "${complete}" node_modules/.package-lock.json`;
    await writeFile(join(bin, "npm"), npm, { mode: 0o755 });
    // No process has this id.
    await writeFile(join(cwd, ".installing"), String(2 ** 30));
    const PATH = `${bin}:${process.env.PATH}`;
    const commands = [1, 2, 3].map(() => outcome(["users", "--help"], { PATH }, { cwd }));
    for (const command of commands)
      expect(await command).toMatchObject({
        code: 0,
        errors: [],
        stdout: expect.stringMatching(/^Usage/),
      });
    expect(await readFile(join(cwd, "installations"), "utf8")).toMatch(/^ci .*\n$/);
    expect(await readdir(cwd)).not.toContain(".installing");
  },
);
