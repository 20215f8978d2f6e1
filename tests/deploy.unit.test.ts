import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseEnv } from "~/config/env.server";
import { RECORDS_LIMIT } from "~/server/guard/body.server";

// The examples of `deploy` name the settings, ports, paths and commands that there are.

const read = (name: string) => readFileSync(name, "utf8");
const lines = (text: string) => text.split("\n").map((line) => line.trim());
/** The settings that `.env.example` describes. */
const SETTINGS = new Set(
  read(".env.example")
    .match(/^(# )?[A-Z][A-Z_]*(?==)/gm)!
    .map((name) => name.replace("# ", "")),
);
const DEFAULTS = parseEnv({});
/** The settings that an operator has to choose. */
const APP_URL = "https://reviews.example.com";
const SESSION_SECRET = "s".repeat(32);
const COMMAND = ["node", "scripts/run.mjs", "start"];

interface Compose {
  services: Record<
    "site" | "mongo",
    {
      environment: Record<string, string>;
      command: string[];
      ports?: string[];
      healthcheck: { test: string[] };
    }
  >;
}

describe("Dockerfile", () => {
  const text = read("deploy/Dockerfile").replaceAll("\\\n", " ");
  const dockerfile = lines(text).filter((line) => line !== "" && !line.startsWith("#"));
  const all = (instruction: string) =>
    dockerfile
      .filter((line) => line.startsWith(`${instruction} `))
      .map((line) => line.slice(instruction.length + 1));

  test("copies what there is, which its context has", () => {
    const allowed = lines(read("deploy/Dockerfile.dockerignore"))
      .filter((line) => line.startsWith("!"))
      .map((line) => line.slice(1));
    const sources = all("COPY")
      .filter((line) => !line.startsWith("--from"))
      .flatMap((line) => line.split(" ").slice(0, -1));
    expect(new Set(sources)).toEqual(new Set(allowed));
    for (const source of sources) expect([source, existsSync(source)]).toEqual([source, true]);
  });

  test("ends with an image that root does not run", () => {
    const last = lines(text.split(/^FROM /m).at(-1)!).filter((line) => line !== "");
    expect(last).toEqual(["production AS site", "USER node"]);
  });

  test("serves at the port that it names, and asks there for a route that there is", () => {
    const settings = all("ENV").flatMap((line) => line.split(" ").map((pair) => pair.split("=")));
    for (const [name] of settings) expect(SETTINGS).toContain(name);
    const env = parseEnv({ ...Object.fromEntries(settings as [string, string][]) });
    expect(all("EXPOSE")).toEqual([String(env.port)]);
    expect(env.hosts).toEqual(["0.0.0.0"]);
    expect(all("VOLUME")).toEqual([env.dataDir]);
    const route = /127\.0\.0\.1:\$\{process\.env\.PORT\}\/(\w+)/.exec(all("HEALTHCHECK")[0]!)![1];
    expect(existsSync(`app/routes/${route}.ts`)).toBe(true);
    expect(JSON.parse(all("CMD")[0]!)).toEqual(COMMAND);
  });
});

describe("compose.yaml", () => {
  const { site, mongo } = (parse(read("deploy/compose.yaml")) as Compose).services;

  test("gives the site settings that a production takes", () => {
    for (const name of Object.keys(site.environment)) expect(SETTINGS).toContain(name);
    const own: Record<string, string> = { APP_URL, SESSION_SECRET };
    const values = Object.entries(site.environment).map(([name, value]): [string, string] => [
      name,
      value.replace(/^\$\{(\w+).*\}$/, (_, variable: string) => own[variable] ?? ""),
    ]);
    const env = parseEnv({ NODE_ENV: "production", ...Object.fromEntries(values) });
    expect(env).toMatchObject({ production: true, trustProxy: true, secure: true });
  });

  test("has a replica set of the name that the site asks for, and makes it", () => {
    const [, host, name] = /^mongodb:\/\/([^/]+)\/\w+\?replicaSet=(\w+)$/.exec(
      site.environment.MONGODB_URI!,
    )!;
    expect(mongo.command.join(" ")).toContain(`--replSet ${name} `);
    expect(mongo.healthcheck.test.join(" ")).toContain(
      `rs.initiate({ _id: "${name}", members: [{ _id: 0, host: "${host}" }] })`,
    );
    expect(mongo.ports).toBeUndefined();
  });
});

test("the unit of systemd starts the site with settings that there are", () => {
  const unit = lines(read("deploy/tour-reviews.service")).filter((line) => !line.startsWith("#"));
  const valueOf = (key: string) =>
    unit.find((line) => line.startsWith(`${key}=`))!.slice(key.length + 1);
  expect(valueOf("ExecStart")).toBe(`/usr/bin/${COMMAND.join(" ")}`);
  const pairs = valueOf("Environment")
    .split(" ")
    .map((pair) => pair.split("=") as [string, string]);
  for (const [name] of pairs) expect(SETTINGS).toContain(name);
  const required = { MONGODB_URI: "mongodb://h/platform", APP_URL, SESSION_SECRET };
  expect(parseEnv({ ...Object.fromEntries(pairs), ...required })).toMatchObject({
    production: true,
    trustProxy: true,
    hosts: ["127.0.0.1"],
    dataDir: `/var/lib/${valueOf("StateDirectory")}`,
  });
  // systemd would end the embedded database before the site's last requests.
  expect(valueOf("KillMode")).toBe("mixed");
});

test("nginx passes on what the site needs, and keeps to its limits", () => {
  const nginx = read("deploy/nginx.conf");
  const value = (pattern: RegExp) => pattern.exec(nginx)?.[1];
  expect(value(/server 127\.0\.0\.1:(\d+);/)).toBe(String(DEFAULTS.port));
  expect(Number(value(/keepalive_timeout (\d+)s;/))).toBeLessThan(DEFAULTS.keepAliveSeconds);
  expect(Number(value(/client_max_body_size (\d+)k;/)) * 1024).toBeGreaterThan(RECORDS_LIMIT);
  expect(value(/X-Forwarded-For (\S+);/)).toBe("$remote_addr");
  expect(value(/proxy_http_version (\S+);/)).toBe("1.1");
  expect(value(/proxy_set_header Connection (\S+);/)).toBe('""');
  // Its own log would have the whole addresses of secret links.
  expect(nginx.match(/^ {2}access_log off;$/gm)).toHaveLength(nginx.match(/^server \{$/gm)!.length);
  const closed = new RegExp(value(/location ~ (\S+) \{\s*return 404;/)!);
  for (const path of ["/dev/mail", "/dev", "/metrics"]) expect(path).toMatch(closed);
  for (const path of ["/", "/tours/dev", "/development", "/healthz"])
    expect(path).not.toMatch(closed);
});
