import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import {
  Link,
  type ShouldRevalidateFunction,
  useActionData,
  useLoaderData,
} from "@remix-run/react";
import { sendReview } from "~/ui/browser/drafts";
import { ErrorSummary } from "~/ui/forms";
import { reviewAddress } from "~/ui/paths";
import { TourLink } from "~/ui/tour-link";
import { Kept } from "~/reviews/carried-review";
import { authorName, Review } from "~/reviews/list/review";
import { ReplyForm, WITHDRAW, WithdrawReply } from "~/reviews/replies/reply";
import { requireAuthor, takeCarriedReview } from "~/server/carried-review.server";
import { refusedForm, formText } from "~/server/form-data.server";
import { errorPage, redirectWithNotice, requireUser, withErrorPage } from "~/server/pages.server";
import { safeRedirect } from "~/server/redirects.server";
import { reviewBody } from "~/server/review-form.server";
import { FormError, ServiceError } from "~/lib/errors.server";
import { isolated } from "~/lib/text";
import { type Caller, countWrite } from "~/accounts/caller.server";
import { NO_REPLY, overLength } from "~/lib/review-limits";
import { deleteReply, getReviewToReply, putReply } from "~/reviews/replies/reply.server";
import { pageTexts } from "~/lib/refusal-texts";
import { titled } from "~/ui/site";

export { INTENTS } from "~/reviews/replies/reply";
export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  titled(
    `Reply to ${isolated(data ? authorName(data.review) : "")}’s review of ${isolated(data?.tour.title ?? "")}`,
  ),
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const found = await withErrorPage(getReviewToReply(user, params.id ?? ""));
  const back = returnPath(new URL(request.url).searchParams.get("back"));
  return { ...found, back, typed: await takeCarriedReview(request) };
}

/** The guide's page that a form was opened from; empty for another one. */
const returnPath = (asked: FormDataEntryValue | null) =>
  /^\/guide[?#]/.exec(safeRedirect(asked))?.input ?? "";

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireAuthor(request);
  const id = params.id ?? "";
  const form = await request.formData();
  const back = returnPath(form.get("back"));
  const input = { comment: formText(form, "comment"), tag: formText(form, "tag"), back };
  const isWithdrawal = formText(form, "intent") === WITHDRAW;
  try {
    await countWrite(user);
    if (isWithdrawal) await deleteReply(user, id, { ifMatch: [input.tag] });
    else await saveReply(user, id, reviewBody(form).comment, input.tag);
    const notice = isWithdrawal ? pageTexts.replyDeleted : pageTexts.replied;
    return await redirectWithNotice(request, back || reviewAddress(id), notice);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The guide can correct the input, wait, or look at what has changed; otherwise the form is of no use.
    if (![400, 412, 429, 503].includes(error.status)) throw errorPage(error);
    // A guide who was shown the newer text may overwrite it.
    const tag = error.status === 412 ? (await getReviewToReply(user, id)).tag : input.tag;
    return refusedForm(pageRefusal(error, input.comment), { input: { ...input, tag } });
  }
}

/** Stores the reply if it is still in the state in which the form was opened. */
async function saveReply(user: Caller, id: string, reply: string, tag: string): Promise<void> {
  try {
    await putReply(user, id, { text: reply }, { ifMatch: [tag] });
  } catch (error) {
    // The same form was sent twice: the first one has succeeded.
    const isChanged = error instanceof ServiceError && error.status === 412;
    const stored = isChanged ? (await getReviewToReply(user, id)).review.reply : null;
    if (stored?.text !== reply) throw error;
  }
}

function pageRefusal(error: ServiceError, comment: string): ServiceError {
  if (error instanceof FormError)
    return new FormError({ comment: overLength(comment, "reply") ?? NO_REPLY });
  return error.status === 412 ? new ServiceError(412, pageTexts.replyChangedMeanwhile) : error;
}

export const clientAction = sendReview;

/** A reply that was changed meanwhile is shown as it is now. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  actionStatus = 200,
  defaultShouldRevalidate,
}) => actionStatus === 412 || (actionStatus < 400 && defaultShouldRevalidate);

export default function ReplyToReview() {
  const { review, tour, timeZone, tag, isOwn, typed, ...from } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const back = refused?.input?.back ?? from.back;
  const isAnothers = review.reply !== null && !isOwn;
  const ownHeading = review.reply ? "Change your reply" : "Reply to this review";
  return (
    <div className="narrow stack">
      <h1>{isAnothers ? "The reply of the guide before you" : ownHeading}</h1>
      <p className="lead">
        {"A review of "}
        <TourLink {...tour} />
      </p>
      {typed && !refused && !isAnothers && (
        <Kept>
          {`Not published yet. Check it and press ${review.reply ? "Save the reply" : "Publish the reply"}.`}
        </Kept>
      )}
      <ErrorSummary errors={refused?.errors} />
      <div className="card">
        <Review review={review} timeZone={timeZone} whole />
      </div>
      {isAnothers ? (
        <p>
          This reply was written by the guide before you. You can withdraw it, and then write your
          own.
        </p>
      ) : (
        <ReplyForm
          key={review.id}
          reviewId={review.id}
          reply={review.reply && tag ? { text: review.reply.text, tag } : null}
          typed={refused?.input ?? typed}
          back={back}
          errors={refused?.errors}
        />
      )}
      {tag && <WithdrawReply reviewId={review.id} tag={tag} back={back} />}
      <p>
        <Link to={back || reviewAddress(review.id)}>Back to the review</Link>
      </p>
    </div>
  );
}
