import { Form, Link } from "@remix-run/react";
import { Review } from "~/reviews/list/review";
import { ContentFields } from "~/reviews/content-fields";
import { UnsentReview } from "~/reviews/unsent-review";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { requestPath } from "~/ui/paths";
import { Time } from "~/ui/time";
import { TourLink } from "~/ui/tour-link";
import { type Page, type Props, linkPageTitle } from "./link-page";

// The review that a link has posted, which it can change and delete for 24 hours.

export function Posted({ page, token, refused }: Props & { page: Page<"posted"> }) {
  const { tour, review } = page;
  return (
    <div className="narrow stack-l">
      <div className="stack">
        <h1>{linkPageTitle(page, null)}</h1>
        <ErrorSummary errors={refused?.errors} />
        <p className="lead">
          This is how readers see it on the page of <TourLink {...tour} />.
        </p>
      </div>
      <div className="card">
        <Review review={review} timeZone={tour.timeZone} whole isOwn />
      </div>
      <p className="row">
        <Link className="button button-quiet" to={`${requestPath(token)}?change=1`}>
          Change it
        </Link>
        <Link className="button button-danger" to={`${requestPath(token)}?delete=1`}>
          Delete it
        </Link>
      </p>
      <p className="muted">
        <Until page={page} /> Our e-mail about it has this link, too.
      </p>
      <UnsentReview input={refused?.input} />
    </div>
  );
}

const Until = ({ page: { deadline, tour } }: { page: Page<"posted"> }) => (
  <span>
    Change or delete it until{" "}
    <Time at={deadline.until} now={deadline.now} zone={tour.timeZone} form="deadline" />.
  </span>
);

export function ChangePosted({ page, token, refused }: Props & { page: Page<"posted"> }) {
  const path = requestPath(token);
  return (
    <div className="narrow stack">
      <h1>{linkPageTitle(page, "change")}</h1>
      <p className="lead">
        of <TourLink {...page.tour} />
      </p>
      <p className="muted">
        <Until page={page} />
      </p>
      <ErrorSummary errors={refused?.errors} />
      <Form method="post" action={path} className="form review-form">
        <input type="hidden" name="tag" value={page.tag} />
        <ContentFields content={refused?.input ?? page.review} errors={refused?.errors?.fields} />
        <p className="row">
          <SubmitButton action={path} name="intent" value="save">
            Save changes
          </SubmitButton>
          <Link className="button button-quiet" to={path}>
            Cancel
          </Link>
        </p>
      </Form>
    </div>
  );
}

export function DeletePosted({ page, token, refused }: Props & { page: Page<"posted"> }) {
  const path = requestPath(token);
  return (
    <div className="centred stack">
      <h1>{linkPageTitle(page, "delete")}</h1>
      <ErrorSummary errors={refused?.errors} />
      <p className="lead">
        Your review of <TourLink {...page.tour} /> will be permanently deleted, and this link no
        longer posts another one.
      </p>
      <Form method="post" action={path} className="row">
        <Link className="button button-quiet" to={path}>
          Keep my review
        </Link>
        <SubmitButton action={path} className="button-danger" name="intent" value="delete">
          Delete my review
        </SubmitButton>
      </Form>
    </div>
  );
}
