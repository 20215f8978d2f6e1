import { setTimeout as sleep } from "node:timers/promises";
import { accountTexts } from "~/accounts/refusal-texts";
import { call, type App } from "../support/app";
import { makeTour, makeUser, PASSWORD } from "../support/factories";
import type { PartReport } from "./report";
import { median, withApp } from "./support";

const LOG_INS = 300;
/** How many of them are tried: the limit in docs/rules/requests.md, Limits. */
const TRIED = 100;
const PAGES = 40;

/** A burst of wrong passwords is cut off, and delays neither pages nor log-ins from other addresses. */
export default async function logIns(report: PartReport): Promise<void> {
  await withApp({ TRUST_PROXY: "true" }, async (app) => {
    const { slug } = await makeTour();
    const { email } = await makeUser();
    const page = () => timed(() => call(app, "GET", `/tours/${slug}`));
    const right = () => timed(() => logIn(app, email, PASSWORD, "198.51.100.8"));
    for (let time = 0; time < 5; time++) await page();
    await right();
    const quiet: number[] = [];
    for (let time = 0; time < PAGES; time++) quiet.push((await page()).ms);

    const pagesMeanwhile = async (work: Promise<unknown>) => {
      const times: number[] = [];
      let over = false;
      const ended = work.finally(() => (over = true));
      while (!over) {
        times.push((await page()).ms);
        await sleep(20);
      }
      await ended;
      return times;
    };
    const many = <Sent>(send: (n: number) => Promise<Sent>) =>
      Promise.all(Array.from({ length: LOG_INS }, (_, n) => send(n)));
    // That many pages of a form take time by themselves.
    const beside = await pagesMeanwhile(many(() => call(app, "GET", "/login")));
    const burst = many((n) => logIn(app, `nobody${n}@example.test`, "wrong", "198.51.100.7"));
    const elsewhere = right();
    const during = await pagesMeanwhile(burst);
    const answers = await burst;
    const tried = answers.filter(({ text }) => text.includes(accountTexts.wrongLogin)).length;
    const refused = answers.filter(({ status }) => status === 429).length;
    report.check(
      `${LOG_INS} wrong log-ins at once from one address: passwords that are tried`,
      `${tried}, ${refused} refused with 429`,
      tried === TRIED && tried + refused === LOG_INS,
    );
    const [longest, usual] = [Math.max(...during), Math.max(...beside)];
    report.check(
      "the longest of other pages meanwhile, and beside as many pages with the form",
      `${ms(longest)}, ${ms(usual)} (median ${ms(median(during))}, without ${ms(median(quiet))})`,
      longest < usual,
    );
    const { result, ms: took } = await elsewhere;
    report.check(
      "the right password from another address meanwhile",
      `${result.status} after ${ms(took)}`,
      result.status === 302,
    );
  });
}

const logIn = (app: App, email: string, password: string, from: string) =>
  call(app, "POST", "/login", {
    raw: new URLSearchParams({ email, password }),
    headers: { "x-forwarded-for": from },
  });

async function timed<Result>(work: () => Promise<Result>) {
  const began = performance.now();
  const result = await work();
  return { result, ms: performance.now() - began };
}

const ms = (value: number) => `${Math.round(value)} ms`;
