import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { ifMatchOf, replyHeaders } from "~/server/review-form.server";
import { deleteReply, putReply } from "~/reviews/replies/reply.server";
import { texts } from "~/infra/refusal-texts";

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
