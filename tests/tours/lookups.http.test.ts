import mongoose from "mongoose";
import type { CommandStartedEvent } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { loader as rootLoader } from "~/root";
import { action, loader as tourLoader } from "~/routes/tours.$slug";
import { currentUser } from "~/server/current-user.server";
import { endSession, getSession, startSession, storeTaken } from "~/server/session.server";
import { requestScope } from "~/infra/request-scope.server";
import { Session } from "#models/session";
import type { TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { sessionOf } from "../support/app";
import { useDatabase } from "../support/database";
import { makeBookedExplorer, makeTour } from "../support/factories";

// How often one request reads its session and its user. The loaders run in this process, as Remix runs them for one
// request.

useDatabase();

let asked: string[] = [];
const record = ({ commandName, command }: CommandStartedEvent) =>
  asked.push(`${commandName} ${String((command as Record<string, unknown>)[commandName])}`);
beforeAll(() => mongoose.connection.getClient().on("commandStarted", record));
afterAll(() => mongoose.connection.getClient().off("commandStarted", record));

const SESSION = "aggregate tourReviews.sessions";

let tour: TourDocument;
let ann: UserDocument;
let cookie: string;
beforeEach(async () => {
  tour = await makeTour();
  ann = await makeBookedExplorer(tour);
  cookie = await sessionOf(ann);
  asked = [];
});

const inRequest = <Result>(work: () => Promise<Result>) =>
  requestScope.run({ requestId: "1", clientAddress: "192.0.2.1" }, work);
const page = (init: RequestInit = {}) =>
  new Request(`http://localhost/tours/${tour.slug}`, { ...init, headers: { cookie } });
const argumentsOf = (request: Request) => ({ request, params: { slug: tour.slug }, context: {} });
const load = (request: Request) =>
  Promise.all([rootLoader(argumentsOf(request)), tourLoader(argumentsOf(request))]);
/** Logs Ann in with this in her session. */
async function startWith(data: Parameters<typeof startSession>[2]): Promise<void> {
  cookie = (await startSession(new Request("http://x"), ann._id.toString(), data)).split(";")[0]!;
  asked = [];
}
const times = (command: string) => asked.filter((name) => name === command).length;

describe("one request reads its session and its user once", () => {
  const expectOnce = () => {
    expect(times(SESSION)).toBe(1);
    // The session includes its user; the tour's guide is another one.
    expect(times("find users")).toBeLessThanOrEqual(1);
  };

  test("for a page, which root and the page itself load", async () => {
    const [root, loaded] = await inRequest(() => load(page()));
    expect(root.user?.id).toBe(ann._id.toString());
    expect(loaded.eligibility.kind).toBe("eligible");
    expectOnce();
  });

  test("for a refused form, which loads its page again", async () => {
    const form = new FormData();
    await inRequest(async () => {
      const answer = await action(argumentsOf(page({ method: "POST", body: form })));
      expect(answer).toMatchObject({ init: { status: 400 } });
      await load(page());
    });
    expectOnce();
  });
});

describe("what was read once", () => {
  test("belongs to that request: the next one reads it again", async () => {
    await inRequest(() => currentUser(page()));
    await inRequest(() => currentUser(page()));
    expect([times(SESSION), times("find users")]).toEqual([2, 0]);
  });

  test("belongs to that cookie", async () => {
    await inRequest(async () => {
      expect((await currentUser(page()))?.id).toBe(ann._id.toString());
      expect(await currentUser(new Request("http://localhost/"))).toBeNull();
    });
  });

  test("is forgotten when the session ends, or another one starts", async () => {
    for (const end of [endSession, (request: Request) => startSession(request, null)]) {
      cookie = await sessionOf(ann);
      await inRequest(async () => {
        expect((await currentUser(page()))?.id).toBe(ann._id.toString());
        await end(page());
        expect(await currentUser(page())).toBeNull();
      });
    }
  });

  test("is stored once, however much a page has taken from it", async () => {
    const waiting = { rating: "4", comment: "Typed", tag: "", to: `/tours/${tour.slug}` };
    const until = new Date(Date.now() + 60_000).toISOString();
    await startWith({ notice: "Welcome", waiting: { ...waiting, until } });
    const [root, loaded] = await inRequest(async () => {
      const both = await load(page());
      const headers = new Headers();
      await storeTaken(page(), headers);
      expect(headers.getSetCookie()).toHaveLength(1);
      return both;
    });
    expect([root.notice, loaded.waiting]).toMatchObject([
      "Welcome",
      { rating: 4, comment: "Typed" },
    ]);
    expect(times("update tourReviews.sessions")).toBe(1);
    const [again, later] = await inRequest(() => load(page()));
    expect([again.notice, later.waiting]).toEqual([null, null]);
  });

  test("is not stored with the session, where it would outlive the account", async () => {
    await startWith({ notice: "Welcome" });
    // Showing the notice stores the session.
    await inRequest(async () => {
      const { notice, user } = await rootLoader(argumentsOf(page()));
      expect([notice, user?.id]).toEqual(["Welcome", ann._id.toString()]);
      await storeTaken(page(), new Headers());
    });
    const stored = await Session.find({ userId: ann._id }).lean();
    expect(stored.map(({ data }) => data)).toEqual([{}, {}]);
    await User.deleteOne({ _id: ann._id });
    expect(await inRequest(() => currentUser(page()))).toBeNull();
  });

  test("is not kept outside of a request", async () => {
    expect(await getSession(page())).not.toBe(await getSession(page()));
    await currentUser(page());
    await currentUser(page());
    expect(times(SESSION)).toBe(4);
  });
});
