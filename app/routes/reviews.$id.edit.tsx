import {
  data,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { isSameContent, storedContent, type TypedContent } from "~/reviews/content";
import { sendReview } from "~/ui/browser/drafts";
import { Kept } from "~/reviews/carried-review";
import { EditForm, NotEditable, notEditableTitle, StoredReview } from "~/reviews/edit-review";
import { ErrorSummary } from "~/ui/forms";
import { OPEN } from "~/reviews/unsent-review";
import { reviewAddress } from "~/ui/paths";
import { EditableUntil } from "~/ui/time";
import { TourLink } from "~/ui/tour-link";
import { requireAuthor, takeCarriedReview } from "~/server/carried-review.server";
import { refusedForm, formText } from "~/server/form-data.server";
import { redirectWithNotice, requireUser } from "~/server/pages.server";
import { retryAfterHeader } from "~/server/retry-after.server";
import { reviewBody, toReviewFormError, typedContent } from "~/server/review-form.server";
import { ServiceError } from "~/lib/errors.server";
import { isolated } from "~/lib/text";
import { type Caller, countWrite } from "~/accounts/caller.server";
import { getEditableReview } from "~/reviews/own-review.server";
import { reviewTag } from "~/reviews/list/public-review.server";
import { editReview } from "~/reviews/edit.server";
import { pageTexts } from "~/lib/refusal-texts";
import { titled } from "~/ui/site";

export { INTENTS } from "~/reviews/unsent-review";
export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const title = data?.refusal
    ? notEditableTitle(data.refusal)
    : `Edit your review of ${isolated(data?.review?.tour.title ?? "")}`;
  return [titled(title)];
};

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const typed = await takeCarriedReview(request);
  try {
    const review = await getEditableReview(user, params.id ?? "");
    return { review, now: new Date().toISOString(), typed, refusal: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { status, message: refusal } = error;
    const headers = retryAfterHeader(error);
    return data({ review: null, now: "", typed, refusal }, { status, headers });
  }
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireAuthor(request);
  const id = params.id ?? "";
  const form = await request.formData();
  const input = typedContent(form);
  const body = reviewBody(form);
  const opened = formText(form, "tag");
  try {
    if (formText(form, "intent") === OPEN) {
      const stored = await getEditableReview(user, id);
      const typed = { ...input, rating: input.rating || (stored.rating ?? 0) };
      return { errors: undefined, input: typed, tag: stored.tag, stored, refusal: null };
    }
    await countWrite(user);
    const outcome = await saveEdit(user, id, body, { input, opened });
    if (typeof outcome !== "string") return outcome;
    return await redirectWithNotice(request, reviewAddress(id), outcome);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The visitor can correct the input, or wait; otherwise the form is of no use any more.
    const refusal = [400, 429, 503].includes(error.status) ? null : error.message;
    return refusedForm(toReviewFormError(error, body), {
      input,
      tag: opened,
      stored: null,
      refusal,
    });
  }
}

/** Returns the notice about what was saved; where the review has changed since, the answer that shows both. */
async function saveEdit(
  user: Caller,
  id: string,
  body: ReturnType<typeof reviewBody>,
  { input, opened }: { input: TypedContent; opened: string },
) {
  try {
    const saved = await editReview(user, id, body, { ifMatch: opened ? [opened] : undefined });
    return reviewTag(saved) === opened ? "Nothing was changed." : pageTexts.updated;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 412) throw error;
    const stored = await getEditableReview(user, id);
    // The same form was sent twice: the first one has succeeded.
    if (isSameContent(stored, storedContent(body))) return pageTexts.updated;
    const changed = new ServiceError(412, pageTexts.changedMeanwhile);
    return refusedForm(changed, { input, tag: stored.tag, stored, refusal: null });
  }
}

export const clientAction = sendReview;

export default function EditReview() {
  const { review, now, typed, refusal } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const input = refused?.input ?? typed;
  const reason = refused?.refusal ?? refusal;
  if (reason || !review) return <NotEditable reason={reason ?? ""} input={input} />;
  return (
    <div className="narrow stack">
      <h1>Edit your review</h1>
      <p className="lead">
        of <TourLink {...review.tour} />
      </p>
      <p className="muted">
        <EditableUntil
          deadline={{ until: review.editableUntil, now }}
          zone={review.tour.timeZone}
        />
      </p>
      {typed && !refused && <Kept>Not saved yet. Check it and press Save changes.</Kept>}
      <ErrorSummary errors={refused?.errors} />
      {refused?.stored && <StoredReview review={refused.stored} />}
      <EditForm
        key={review.id}
        review={review}
        typed={input}
        tag={refused?.tag || typed?.tag || undefined}
        refused={refused}
      />
    </div>
  );
}
