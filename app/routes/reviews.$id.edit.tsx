import {
  data,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { CommentField, ErrorSummary, StarInput, SubmitButton } from "~/components/forms";
import { tourPath } from "~/components/paths";
import { ReviewStars } from "~/components/stars";
import { timeLeft } from "~/components/time";
import { text } from "~/http/forms.server";
import { formErrors } from "~/http/forms.server";
import { orErrorPage, redirectWithNotice, requireUser } from "~/http/pages.server";
import { reviewForm } from "~/http/reviews.server";
import { ServiceError } from "~/infra/errors.server";
import { findEditableReview } from "~/services/reviews/own-review.server";
import { updateReview } from "~/services/reviews/update.server";
import { texts } from "~/services/reviews/texts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `Edit your review of ${data.review.tour.title}` : "Edit"} · Tour Reviews` },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const review = await orErrorPage(findEditableReview(user, params.id ?? ""));
  return { review, left: timeLeft(new Date(review.editableUntil), new Date()) };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const id = params.id ?? "";
  const { tour } = await orErrorPage(findEditableReview(user, id));
  const form = await request.formData();
  const body = reviewForm(form);
  const opened = text(form, "tag");
  try {
    await updateReview(user, id, body, { ifMatch: opened ? [opened] : undefined });
  } catch (error) {
    const errors = formErrors(error);
    const { status } = error as ServiceError;
    const input = { rating: Number(text(form, "rating")), comment: text(form, "comment") };
    if (status === 412) {
      const stored = await orErrorPage(findEditableReview(user, id));
      // A form that was sent twice has done what it should.
      const isDone = stored.rating === body.rating && (stored.comment || "") === body.comment;
      if (!isDone) return data({ errors, input, tag: stored.tag, stored }, { status });
    } else {
      // Somebody's own input or haste is at fault, or the review itself by now.
      if (![400, 429].includes(status)) throw new Response(errors.form, { status });
      return data({ errors, input, tag: opened, stored: null }, { status });
    }
  }
  return redirectWithNotice(request, `${tourPath(tour.slug)}#review-${id}`, texts.updated);
}

export default function EditReview() {
  const { review, left } = useLoaderData<typeof loader>();
  const failure = useActionData<typeof action>();
  const input = failure?.input ?? review;
  const formAction = `/reviews/${review.id}/edit`;
  return (
    <div className="narrow stack">
      <h1>Edit your review</h1>
      <p className="lead">
        of <Link to={tourPath(review.tour.slug)}>{review.tour.title}</Link> · {left}
      </p>
      <ErrorSummary errors={failure?.errors} />
      {failure?.stored && (
        <section className="card stack" aria-labelledby="stored-title">
          <h2 id="stored-title">What it says now</h2>
          <ReviewStars rating={failure.stored.rating} />
          {failure.stored.comment && <p className="comment">{failure.stored.comment}</p>}
          <p className="muted small">Saving replaces it with what is below.</p>
        </section>
      )}
      <Form method="post" action={formAction} className="form review-form">
        <input type="hidden" name="tag" value={failure?.tag || review.tag} />
        <StarInput defaultValue={input.rating} error={failure?.errors.fields.rating} />
        <CommentField defaultValue={input.comment ?? ""} error={failure?.errors.fields.comment} />
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
