import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import mongoose from "mongoose";
import { createServiceToken } from "~/accounts/tokens.server";
import { prepareServer } from "../../scripts/database/install";
import { say } from "../../scripts/lib/command";
import { tokenOf, type App } from "../support/app";
import { makeBookedExplorer, makeReview, makeTour } from "../support/factories";
import { fuzz as sendOddRequests } from "../support/fuzz";
import type { PartReport } from "./report";
import { run, withApp, withFolder } from "./support";

const SCHEMATHESIS = "4.32.5";
const SPECTRAL = "6.15.0";
const RAW_REQUESTS = 5_000;
const CASES = 10_000;
const SEED = 1;
/** Answers that are wrong: a server error, or something that the document does not describe. */
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
];

// With more workers Python's own parser fails, because it counts the depth of all threads together.
const OPTIONS = `--workers 1 --max-examples 700 --request-timeout 30
  --continue-on-failure --no-shrink --no-color --warnings off --suppress-health-check all`.split(
  /\s+/,
);

/** Its own sequences of requests would only be guessed from the names of parameters: it follows the document's links. */
const settingsWith = (token: string, service: string) => `
headers = { Authorization = "Bearer ${token}" }

[phases.stateful.inference]
algorithms = []

[[operations]]
include-operation-id = ["putUser", "deleteUser", "putTour", "putBooking", "patchBooking", "storeRecords"]
headers = { Authorization = "Bearer ${service}" }
`;

const NDJSON = `
import json, schemathesis

@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return (value if isinstance(value, str) else json.dumps(value)).encode("utf-8", "replace")
`;

/** Requests as strangers may send them: raw bytes, and those that schemathesis derives from the OpenAPI document. */
export default async function fuzz(report: PartReport): Promise<void> {
  await withApp({ LOG_LEVEL: "fatal" }, async (app) => {
    await raw(report, app);
    await linted(report, app);
    await documented(report, app);
  });
}

async function raw(report: PartReport, app: App): Promise<void> {
  const { requests, statuses, faults } = await sendOddRequests(app, SEED, RAW_REQUESTS);
  for (const fault of faults.slice(0, 5)) say(fault);
  const own = Object.keys(statuses).filter((status) => Number(status) > 0);
  report.check(
    "raw requests (bad UTF-8, no JSON, operators, prototype keys, odd methods, hosts and framing): no 5xx",
    `${requests} requests, ${own.length} kinds of status, ${faults.length} wrong answers`,
    requests === RAW_REQUESTS && own.length > 5 && faults.length === 0,
  );
}

/** The document itself, by the rules for OpenAPI of https://stoplight.io/open-source/spectral. */
async function linted(report: PartReport, app: App): Promise<void> {
  const { code, output } = await withFolder(async (cwd) => {
    await writeFile(join(cwd, ".spectral.yaml"), 'extends: ["spectral:oas"]');
    const args = ["lint", "--fail-severity", "hint", `${app.url}/api/openapi.json`];
    return run("npx", ["--yes", `@stoplight/spectral-cli@${SPECTRAL}`, ...args], { cwd });
  });
  if (code !== 0) say(output.slice(-5_000));
  report.check(
    "Spectral reads the OpenAPI document without a warning",
    code === 0 ? "yes" : "no",
    code === 0,
  );
}

async function documented(report: PartReport, app: App): Promise<void> {
  const program = await installSchemathesis();
  const tour = await makeTour();
  const author = await makeBookedExplorer(tour);
  await makeReview(author, tour);
  const args = [
    ...["-m", "schemathesis.cli", "run", `${app.url}/api/openapi.json`],
    ...["--checks", CHECKS.join(","), "--seed", String(SEED)],
    ...OPTIONS,
  ];
  const settings = settingsWith(await tokenOf(author), await createServiceToken("Fuzzing"));
  // That many requests by one user would mostly reach the limit of changes, and nothing after it.
  const counts = mongoose.connection.collection("tourReviews.rateLimits");
  const unlimited = setInterval(() => void counts.deleteMany({}).catch(() => {}), 1_000);
  // It leaves files of its own in the folder in which it runs.
  const { code, output } = await withFolder(async (cwd) => {
    await writeFile(join(cwd, "schemathesis.toml"), settings);
    await writeFile(join(cwd, "ndjson.py"), NDJSON);
    return run(program, args, { cwd, env: { PYTHONPATH: cwd, SCHEMATHESIS_HOOKS: "ndjson" } });
  });
  clearInterval(unlimited);
  const cases = Number(/([\d,]+) generated/.exec(output)?.[1]?.replaceAll(",", "") ?? 0);
  if (code !== 0) say(output.slice(-5_000));
  report.check(
    "requests made from the OpenAPI document: no 5xx, no answer outside of it",
    `${cases} cases`,
    code === 0 && cases >= CASES,
  );
}

/** Schemathesis in a virtual environment of its own, set up once per checkout and version. */
async function installSchemathesis(): Promise<string> {
  const folder = join("node_modules", ".cache", "tour-reviews", `schemathesis-${SCHEMATHESIS}`);
  const bin = process.platform === "win32" ? "Scripts" : "bin";
  if (!existsSync(folder)) {
    say(`Installing schemathesis ${SCHEMATHESIS} …`);
    const { file, endsWithInput } = await prepareServer({ onProgress: say });
    const building = `${folder}-${process.pid}`;
    const pip = `-m pip install --quiet --only-binary=:all: schemathesis==${SCHEMATHESIS}`;
    for (const [program, args] of [
      [endsWithInput ? file : "python3", ["-m", "venv", building]],
      [join(building, bin, "python"), pip.split(" ")],
    ] as const) {
      const { code, output } = await run(program, [...args]);
      if (code === 0) continue;
      await rm(building, { recursive: true, force: true });
      throw new Error(`Schemathesis cannot be installed:\n${output}`);
    }
    await rename(building, folder);
  }
  return resolve(folder, bin, "python");
}
