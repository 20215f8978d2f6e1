import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import type { EntryContext } from "@remix-run/node";
import { rollup, type OutputChunk, type Plugin } from "rollup";
import { minify } from "terser";
import remix from "../../remix.config.js";

type Manifest = EntryContext["manifest"];

/** The licences of the packages in the browser's modules. */
const LICENCES = "/build/licences.txt";
/** Remix's flags by name; one without a value is off. */
const FLAGS = new Map<string, unknown>(Object.entries(remix.future ?? {}));
const MANIFEST = /^var assets_manifest_default = .*;$/m;

/**
 * Bundles the browser's modules of the production build in `folder` again. Remix' compiler makes one file for each
 * set of routes that share some code: a page then loads about twenty, most of them of a few lines, and each is
 * compressed separately. Here a page loads the packages, the code that pages share, and its own code. What only the
 * pages of one kind share, which is in a folder of `app/components`, is a file of its own.
 */
export async function mergeBrowserModules(folder: string): Promise<void> {
  /** The folder that is served at `/`. */
  const publicFolder = join(folder, "public");
  const fileOf = (address: string) => join(publicFolder, address);
  const write = async (address: string, content: string) => {
    await mkdir(dirname(fileOf(address)), { recursive: true });
    await writeFile(fileOf(address), content);
  };
  // Remix writes this file last, and it names the browser's files.
  const serverFile = join(folder, "index.js");
  const server = await readFile(serverFile, "utf8");
  const manifest = await readManifest(server, fileOf);
  const inputs = new Map(
    [manifest.entry, ...Object.values(manifest.routes)].map(({ module }) => [
      module,
      module.replace(/^\/|-[A-Z0-9]{8}\.js$/g, ""),
    ]),
  );
  const sources = await sourcesOfModules(folder);
  const packages = new Set(
    [...sources].filter(([, files]) => files.every(isPackage)).map(([address]) => address),
  );
  const bundle = await rollup({
    input: Object.fromEntries([...inputs].map(([address, name]) => [name, fileOf(address)])),
    plugins: [addresses(fileOf)],
    onwarn: (warning) => {
      // Routes without a page have nothing for the browser.
      if (warning.code !== "EMPTY_BUNDLE") throw new Error(warning.message);
    },
  });
  const root = manifest.routes.root?.module;
  const { output } = await bundle.generate({
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "build/[name]-[hash].js",
    sanitizeFileName: false,
    manualChunks: (file) => {
      const address = `/${posix.relative(posix.resolve(publicFolder), file)}`;
      if (packages.has(address)) return "packages";
      const isPage = inputs.has(address) && address !== root && address !== manifest.entry.module;
      return isPage ? undefined : sharedBy(sources.get(address)!);
    },
    plugins: [smaller],
    // In a file of their own, because no browser needs them.
    banner: ({ name }) => (name === "packages" ? `/*! Licences: ${LICENCES} */` : ""),
  });
  const chunks = output.filter((file) => file.type === "chunk");
  await write(
    LICENCES,
    (await Promise.all([...packages].map((address) => licencesIn(fileOf(address))))).join(""),
  );
  for (const { fileName, code } of chunks) await write(fileName, code);

  const byName = new Map(chunks.filter(({ isEntry }) => isEntry).map((c) => [c.name, c]));
  const moved = <Module extends { module: string }>(old: Module): Module => {
    const chunk = byName.get(inputs.get(old.module)!)!;
    const imports = importsOf(chunk, chunks).map((name) => `/${name}`);
    return { ...old, module: `/${chunk.fileName}`, imports };
  };
  const entry = moved(manifest.entry);
  const routes = Object.fromEntries(
    Object.entries(manifest.routes).map(([id, route]) => [id, moved(route)]),
  );
  const version = createHash("sha256").update(JSON.stringify({ entry, routes })).digest("hex");
  const renewed = { ...manifest, entry, routes, version: version.slice(0, 8) };
  renewed.url = `/build/manifest-${renewed.version}.js`;
  await write(renewed.url, `window.__remixManifest=${JSON.stringify(renewed)};`);
  await writeFile(
    serverFile,
    server.replace(MANIFEST, () => `var assets_manifest_default = ${JSON.stringify(renewed)};`),
  );
  const wanted = new Set([renewed.url, ...chunks.map(({ fileName }) => `/${fileName}`)]);
  for (const file of await readdir(join(publicFolder, "build"), { recursive: true })) {
    const address = `/build/${file.replaceAll("\\", "/")}`;
    if (address.endsWith(".js") && !wanted.has(address)) await rm(fileOf(address));
  }
}

/** The browser's manifest of the build; throws if the server's build is not as Remix 2 writes it. */
async function readManifest(
  server: string,
  fileOf: (address: string) => string,
): Promise<Manifest> {
  const [literal] = MANIFEST.exec(server) ?? [];
  const [, url] = /url: "([^"]+)"/.exec(literal ?? "") ?? [];
  if (!url) throw new Error(`The server names no manifest of the browser's modules`);
  const source = await readFile(fileOf(url), "utf8");
  return JSON.parse(source.slice(source.indexOf("{"), source.lastIndexOf("}") + 1)) as Manifest;
}

/** The source files of each module, by its address. */
async function sourcesOfModules(folder: string): Promise<Map<string, string[]>> {
  const { outputs } = JSON.parse(await readFile(join(folder, "metafile.js.json"), "utf8")) as {
    outputs: Record<string, { inputs: Record<string, unknown> }>;
  };
  return new Map(
    Object.entries(outputs)
      .filter(([file]) => file.endsWith(".js"))
      .map(([file, { inputs }]) => [
        file.slice(join(folder, "public").length),
        Object.keys(inputs),
      ]),
  );
}

/** Whether a source file belongs to a package. These change only with the lock file. */
const isPackage = (source: string) => source.startsWith("node_modules/");

/** The name of the file for code that several pages share: of all pages, or of those of one folder of components. */
function sharedBy(sources: string[]): string {
  const folders = new Set(sources.map((s) => /^app\/components\/(\w+)\//.exec(s)?.[1]));
  const [folder] = folders;
  return folders.size === 1 && folder ? folder : "shared";
}

/** The comments that licences require to be kept, which Remix' compiler puts at the end of a file. */
async function licencesIn(file: string): Promise<string> {
  const [comment = ""] =
    /\/\*! Bundled license information:.*/s.exec(await readFile(file, "utf8")) ?? [];
  return comment;
}

/** The files that a file imports, and those that they import. */
function importsOf(chunk: OutputChunk, chunks: OutputChunk[]): string[] {
  const all = new Set<string>();
  const add = ({ imports }: OutputChunk) => {
    for (const name of imports) {
      if (all.has(name)) continue;
      all.add(name);
      add(chunks.find(({ fileName }) => fileName === name)!);
    }
  };
  add(chunk);
  return [...all];
}

/**
 * Resolves the imports of Remix' modules, which are addresses, and lets Rollup leave out unused code, that for other
 * settings of Remix included: its flags are known here.
 */
const addresses = (fileOf: (address: string) => string): Plugin => ({
  name: "addresses",
  // The compiler leaves an empty module for each import that only the server uses, and Rollup takes it for CommonJS.
  transform: (code) => ({
    code: code
      .replace(/=(?=\w+\(\((\w+),(\w+)\)=>\{\2\.exports=\{\}\}\))/g, "=/*#__PURE__*/")
      .replace(/=(\w+)\((\w+)\(\),1\)/g, "=/*#__PURE__*/$1(/*#__PURE__*/$2(),1)")
      .replace(/\b(?:[\w$]+\.)+(v3_\w+)\b/g, (_, flag: string) => String(Boolean(FLAGS.get(flag)))),
    map: null,
  }),
  resolveId: (id) => (id.startsWith("/build/") ? posix.resolve(fileOf(id)) : null),
});

/** Minifies more thoroughly than Remix' compiler does. */
const smaller: Plugin = {
  name: "smaller",
  async renderChunk(code) {
    const result = await minify(code, {
      ...{ module: true, ecma: 2020, compress: { passes: 3 } },
      format: { comments: /Licences: / },
    });
    return result.code!;
  },
};
