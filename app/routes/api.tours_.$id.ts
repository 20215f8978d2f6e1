import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { recordAnswer } from "~/server/review-form.server";
import { texts } from "~/lib/refusal-texts";
import { closeTour } from "~/import/ended-records.server";
import { putRecord } from "~/import/put-record.server";
import { ratingAt } from "~/reviews/list-changes.server";
import { isServiceToken } from "~/server/current-user.server";
import { getParticipatedTour } from "~/tours/participation.server";
import { getTour } from "~/tours/tours.server";

export const { loader, action, answer } = apiRoute(operations["/api/tours/{id}"], {
  async GET({ id, query, user, request }) {
    const { at, include } = query();
    if (!at && include === "participation") {
      const isService = await isServiceToken(request.headers.get("Authorization") ?? undefined);
      const caller = isService ? null : await user();
      return json({ tour: await getParticipatedTour(id, { caller, isService }) });
    }
    return json(at ? { rating: await ratingAt(id, at) } : { tour: await getTour(id) });
  },

  async PUT({ id, body, ifMatch }) {
    return recordAnswer(await putRecord("tours", id, body(), { ifMatch: ifMatch() }));
  },

  async DELETE({ id }) {
    await closeTour(id);
    return json({ message: texts.tourClosed });
  },
});
