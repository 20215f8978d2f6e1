import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { createServiceToken } from "~/accounts/tokens.server";
import { sha256 } from "~/lib/digest.server";
import { call, startApp, tokenOf } from "../support/app";
import { databaseUri } from "../support/database";
import { makeBookedExplorer, makeReview, makeTour, makeUser } from "../support/factories";
import { claimsOf, logInOnPlatform, LOGIN_SECRET } from "../support/single-sign-on";
import { makeKey, serveKeys } from "../support/keys";
import { app, get, useApp } from "../support/shared-app";

// Clients that generators make of /api/openapi.json, and tokens of a library of Python, against the built app.

useApp();

// Generators and compilers take a minute even on a quiet machine.
const timeout = 600_000;

const run = promisify(execFile);
const SOURCES = "tests/support/clients";
const REQUIREMENTS = readFileSync(`${SOURCES}/requirements.txt`, "utf8");
const FOLDER = resolve("node_modules/.cache/clients");
const VENV = join(FOLDER, `python-${sha256(REQUIREMENTS).slice(0, 12)}`);
const WORK = join(FOLDER, "work");
const python = join(VENV, "bin/python");

beforeAll(async () => {
  // Its last step makes the marker: an installation that was interrupted begins anew.
  const marker = join(VENV, "complete");
  if (!existsSync(marker)) {
    rmSync(VENV, { recursive: true, force: true });
    await run("python3", ["-m", "venv", VENV]);
    await run(python, ["-m", "pip", "install", "-q", "-r", `${SOURCES}/requirements.txt`]);
    writeFileSync(marker, "");
  }
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
}, timeout);

let tourId: string;
let token: string;
let service: string;
beforeEach(async () => {
  const tour = await makeTour();
  tourId = tour._id.toString();
  await makeReview(await makeUser(), tour, { createdAt: new Date(Date.now() - 60_000) });
  token = await tokenOf(await makeBookedExplorer(tour));
  service = await createServiceToken("Platform");
  writeFileSync(join(WORK, "openapi.json"), (await get("/api/openapi.json")).text);
});

test(
  "openapi-python-client's posts, pages, edits, deletes and stores records, and all of it can be imported",
  async () => {
    const generated = join(WORK, "reviews_client");
    const path = `${join(VENV, "bin")}:${process.env.PATH}`;
    const options = ["--path", join(WORK, "openapi.json"), "--output-path", generated];
    const { stderr } = await run(
      join(VENV, "bin/openapi-python-client"),
      ["generate", ...options, "--meta", "none", "--overwrite"],
      { env: { ...process.env, PATH: path } },
    );
    // It knows no NDJSON, beside which there is a list.
    expect(stderr.match(/^(WARNING|ERROR|Unsupported) .*/gm)).toEqual([
      expect.stringMatching(/^WARNING parsing POST \/api\/records /),
      "Unsupported content type application/x-ndjson",
    ]);
    expect(stderr).toContain('"#/components/schemas/RecordLines"');
    cpSync(`${SOURCES}/client.py`, join(WORK, "client.py"));
    const done = await run(python, ["client.py", app.url, token, tourId, service], { cwd: WORK });
    expect(done.stdout).toBe("done\n");
  },
  timeout,
);

test(
  "openapi-typescript's posts, pages, edits, deletes and stores records, and a wrong field does not compile",
  async () => {
    const bin = (name: string) => resolve("node_modules/.bin", name);
    await run(bin("openapi-typescript"), [
      join(WORK, "openapi.json"),
      "-o",
      join(WORK, "api.d.ts"),
    ]);
    const client = join(WORK, "client.mts");
    cpSync(`${SOURCES}/client.ts.txt`, client);
    const strict = [
      "--strict",
      "--skipLibCheck",
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
    ];
    await run(bin("tsc"), ["--noEmit", "--target", "es2022", "--types", "node", ...strict, client]);
    const { stdout } = await run(bin("tsx"), [client, app.url, token, tourId, service]);
    const message = "Review deleted successfully";
    const error = expect.stringMatching(/^createdById: /) as string;
    const results = [
      { line: 1, result: "created" },
      { line: 2, error },
    ];
    expect(JSON.parse(stdout)).toEqual([["By TypeScript"], true, 4, 400, message, results]);
  },
  timeout,
);

const SIGN = `import jwt, json, sys
claims, key, algorithm, kid = json.load(sys.stdin)
print(jwt.encode(claims, key, algorithm=algorithm, headers={"kid": kid}))`;

test(
  "PyJWT's tokens act for a platform's user, by a secret and by either kind of key",
  async () => {
    const keys = [await makeKey("rsa"), await makeKey("elliptic", "ES256")];
    const server = await serveKeys();
    server.show(...keys);
    const settings = {
      ...logInOnPlatform("https://a.example"),
      LOGIN_JWKS_URL: server.address.href,
    };
    const site = await startApp(databaseUri(), settings);
    try {
      const claims = claimsOf(await makeUser(), `${site.url}/api`);
      const secret = [claims, LOGIN_SECRET, "HS256", ""];
      for (const signer of [
        secret,
        ...keys.map(({ pem, jwk }) => [claims, pem.private, jwk.alg, jwk.kid]),
      ]) {
        const signed = run(python, ["-c", SIGN]);
        signed.child.stdin!.end(JSON.stringify(signer));
        const token = (await signed).stdout.trim();
        const answer = await call(site, "POST", "/api/reviews", { token, body: {} });
        expect(answer.json).toEqual({ error: "Missing required fields" });
      }
    } finally {
      await site.stop();
      await server.close();
    }
  },
  timeout,
);
