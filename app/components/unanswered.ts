import {
  type ClientActionFunctionArgs,
  isRouteErrorResponse,
  json,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";

// Forms with words that somebody has typed, where no answer comes.

/** With a status of failure Remix does not load the page's data again, which would fail, too. */
const UNANSWERED = 503;

/** What the action's data is then; its other fields are those of a refused form. */
const unanswered = () => ({
  errors: {
    fields: {},
    form: "We got no answer. What you wrote is still here: check your connection and try again.",
  },
  values: {},
  unanswered: true,
});

/** The `clientAction` of such a form: if no answer comes, or one of failure, the page keeps what was typed. */
export async function sendForm({ serverAction }: Pick<ClientActionFunctionArgs, "serverAction">) {
  try {
    return await serverAction<never>();
  } catch (answer) {
    const isAnswered =
      answer instanceof Response || (isRouteErrorResponse(answer) && answer.status < 500);
    if (isAnswered) throw answer;
    return json(unanswered(), { status: UNANSWERED });
  }
}

/** The `shouldRevalidate` of a page that shows after a refusal, too, what has changed meanwhile. */
export const afterAnswers = ({ actionStatus }: ShouldRevalidateFunctionArgs) =>
  actionStatus !== UNANSWERED;
