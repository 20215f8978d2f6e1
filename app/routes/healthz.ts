import { apiRoute, json } from "~/server/api-route.server";
import { databaseAnswers } from "~/db/database.server";
import { requestScope } from "~/lib/request-scope.server";
import { siteState } from "~/server/guard/site-state.server";

/** For a load balancer: whether the database works. With `?verbose`, for this machine only, the state of the site. */
export const { loader, action, answer } = apiRoute(
  { GET: { failure: "unavailable" } },
  {
    async GET({ url }) {
      if (!(await databaseAnswers())) return json({ status: "unavailable" }, { status: 503 });
      const verbose = url.searchParams.has("verbose") && requestScope.getStore()?.fromThisMachine;
      return json({ status: "ok", ...(verbose && (await siteState())) });
    },
  },
);
