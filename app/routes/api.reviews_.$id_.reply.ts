import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { replyETag } from "~/server/review-form.server";
import { deleteReply, putReply } from "~/reviews/replies/reply.server";
import { texts } from "~/lib/refusal-texts";

export const { loader, action, answer } = apiRoute(operations["/api/reviews/{id}/reply"], {
  async PUT({ id, writer, body, ifMatch }) {
    const reply = await putReply(await writer(), id, body(), { ifMatch: ifMatch() });
    return json({ reply }, { headers: { ETag: replyETag(reply) } });
  },

  async DELETE({ id, writer, ifMatch }) {
    await deleteReply(await writer(), id, { ifMatch: ifMatch() });
    return json({ message: texts.replyDeleted });
  },
});
