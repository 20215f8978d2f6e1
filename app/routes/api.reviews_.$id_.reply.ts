import { apiRoute, json } from "~/http/api-route.server";
import { operations } from "~/http/openapi/operations.server";
import { ifMatchOf, replyHeaders } from "~/http/reviews.server";
import { deleteReply, putReply } from "~/services/reviews/reply.server";
import { texts } from "~/services/texts";

export const { loader, action } = apiRoute(operations["/api/reviews/{id}/reply"], {
  async PUT({ request, user, params, body }) {
    const ifMatch = ifMatchOf(request);
    const reply = await putReply(await user(), params.id ?? "", body(), { ifMatch });
    return json({ reply }, { headers: replyHeaders(reply) });
  },

  async DELETE({ request, user, params }) {
    await deleteReply(await user(), params.id ?? "", { ifMatch: ifMatchOf(request) });
    return json({ message: texts.replyDeleted });
  },
});
