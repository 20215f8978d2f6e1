import {
  type ClientActionFunctionArgs,
  isRouteErrorResponse,
  json,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";

// Forms in which somebody has written, where no answer comes, or one of failure.

/** With a status of failure Remix does not load the page's data again, which would fail, too. */
const FAILURE = 503;

/** The fields in which people write. A form without any, such as one that only deletes, loses nothing. */
const WRITTEN = ["comment", "words", "explanation"];

const KEPT = "Your text is still here";

/** The `clientAction` of a page with such a form, which keeps the form as it was sent. */
export async function sendForm({ request, serverAction }: ClientActionFunctionArgs) {
  const values = Object.fromEntries(await request.clone().formData()) as Record<string, string>;
  try {
    return await serverAction<never>();
  } catch (answer) {
    const hasFailed = isRouteErrorResponse(answer);
    const isAnswered = answer instanceof Response || (hasFailed && answer.status < 500);
    if (isAnswered || !WRITTEN.some((name) => name in values)) throw answer;
    const form = hasFailed
      ? `Something went wrong on our side. ${KEPT}: please try again in a moment.`
      : `We got no answer. ${KEPT}: check your connection and try again.`;
    const refused = { errors: { fields: {}, form }, values, unanswered: true };
    return json(refused, { status: FAILURE });
  }
}

/** The `shouldRevalidate` of a page that shows after a refusal, too, what has changed meanwhile. */
export const afterAnswers = ({ actionStatus }: ShouldRevalidateFunctionArgs) =>
  actionStatus !== FAILURE;
