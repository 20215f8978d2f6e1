import { expect, test } from "vitest";
import { loader as rootLoader } from "~/root";
import { loader as tourLoader } from "~/routes/tours.$slug";
import { currentUser } from "~/server/current-user.server";
import { endSession, startSession } from "~/server/session.server";
import { requestScope } from "~/lib/request-scope.server";
import { sessionOf } from "../support/app";
import { useDatabase } from "../support/database";
import { commandsOf } from "../support/explain";
import { makeBookedExplorer, makeTour } from "../support/factories";

// The loaders run in this process, as Remix runs them for one request.

useDatabase();

const inRequest = <Result>(work: () => Promise<Result>) =>
  requestScope.run({ requestId: "1", clientAddress: "192.0.2.1" }, work);
const page = (cookie: string) => new Request("http://localhost/tours/x", { headers: { cookie } });

test("a page reads its session and its user once, though root and the page itself ask", async () => {
  const tour = await makeTour();
  const ann = await makeBookedExplorer(tour);
  const request = page(await sessionOf(ann));
  const given = { request, params: { slug: tour.slug }, context: {} };
  const asked = await commandsOf(() =>
    inRequest(async () => {
      const [root, loaded] = await Promise.all([rootLoader(given), tourLoader(given)]);
      expect(root.user?.id).toBe(ann._id.toString());
      expect(loaded.eligibility.kind).toBe("eligible");
    }),
  );
  expect(asked.filter((name) => name === "aggregate tourReviews.sessions")).toHaveLength(1);
});

test("what was read once is forgotten when the session ends, or another one starts", async () => {
  const ann = await makeBookedExplorer(await makeTour());
  for (const end of [endSession, (request: Request) => startSession(request, null)]) {
    const cookie = await sessionOf(ann);
    await inRequest(async () => {
      expect((await currentUser(page(cookie)))?.id).toBe(ann._id.toString());
      await end(page(cookie));
      expect(await currentUser(page(cookie))).toBeNull();
    });
  }
});
