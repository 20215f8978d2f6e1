import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { CommentField, ErrorSummary, StarInput, SubmitButton } from "~/components/forms";
import { tourPath } from "~/components/paths";
import { ReviewStars } from "~/components/stars";
import { timeLeft } from "~/components/time";
import { refusedForm, text } from "~/http/forms.server";
import { errorPage, redirectWithNotice, requireUser, withErrorPage } from "~/http/pages.server";
import { inWordsOfForm, reviewForm } from "~/http/reviews.server";
import { ServiceError } from "~/infra/errors.server";
import { findEditableReview } from "~/services/reviews/own-review.server";
import { updateReview } from "~/services/reviews/update.server";
import { texts } from "~/services/reviews/texts";

export { headers } from "~/http/retry-after.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `Edit your review of ${data.review.tour.title}` : "Edit"} · Tour Reviews` },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const review = await withErrorPage(findEditableReview(user, params.id ?? ""));
  return { review, left: timeLeft(new Date(review.editableUntil), new Date()) };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const id = params.id ?? "";
  const { tour } = await withErrorPage(findEditableReview(user, id));
  const form = await request.formData();
  const body = reviewForm(form);
  const opened = text(form, "tag");
  try {
    await updateReview(user, id, body, { ifMatch: opened ? [opened] : undefined });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const input = { rating: Number(text(form, "rating")), comment: text(form, "comment") };
    // The visitor can correct the input, or wait.
    if (error.status === 400 || error.status === 429)
      return refusedForm(inWordsOfForm(error, body), { input, tag: opened, stored: null });
    // What happened to the review meanwhile has a page of its own.
    if (error.status !== 412) throw errorPage(error);
    const stored = await withErrorPage(findEditableReview(user, id));
    // The same form was sent twice: the first one has succeeded.
    const isDone = stored.rating === body.rating && (stored.comment || "") === body.comment;
    if (!isDone) return refusedForm(error, { input, tag: stored.tag, stored });
  }
  return redirectWithNotice(request, `${tourPath(tour.slug)}#review-${id}`, texts.updated);
}

export default function EditReview() {
  const { review, left } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const input = refused?.input ?? review;
  const formAction = `/reviews/${review.id}/edit`;
  return (
    <div className="narrow stack">
      <h1>Edit your review</h1>
      <p className="lead">
        of <Link to={tourPath(review.tour.slug)}>{review.tour.title}</Link> · {left}
      </p>
      <ErrorSummary errors={refused?.errors} />
      {refused?.stored && (
        <section className="card stack" aria-labelledby="stored-title">
          <h2 id="stored-title">The review as it is now</h2>
          <ReviewStars rating={refused.stored.rating} />
          {refused.stored.comment && <p className="comment">{refused.stored.comment}</p>}
          <p className="muted small">Saving replaces it with your version below.</p>
        </section>
      )}
      <Form method="post" action={formAction} className="form review-form">
        <input type="hidden" name="tag" value={refused?.tag || review.tag} />
        <StarInput defaultValue={input.rating ?? undefined} error={refused?.errors.fields.rating} />
        <CommentField defaultValue={input.comment ?? ""} error={refused?.errors.fields.comment} />
        <p className="row">
          <SubmitButton action={formAction}>Save changes</SubmitButton>
          <Link
            className="button button-quiet"
            to={`${tourPath(review.tour.slug)}#review-${review.id}`}
          >
            Cancel
          </Link>
        </p>
      </Form>
    </div>
  );
}
