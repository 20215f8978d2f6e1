import { Form, Link } from "@remix-run/react";
import type { FormErrors } from "~/lib/errors.server";
import { NO_WORDS, type TypedContent } from "~/reviews/content";
import { ContentFields } from "~/reviews/content-fields";
import { UnsentReview } from "~/reviews/unsent-review";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { requestPath, tourPath } from "~/ui/paths";
import { DEAD_LINK } from "~/ui/site";
import { Time } from "~/ui/time";
import { TourLink } from "~/ui/tour-link";
import type { LinkPage } from "./link.server";

export const INTENTS = ["post", "save", "delete", "absent"] as const;
export type Intent = (typeof INTENTS)[number];

/** The form of the page that is open, by the address or because it was refused. */
export type View = "change" | "delete" | "absent" | null;

export type Page<Kind extends LinkPage["kind"]> = Extract<LinkPage, { kind: Kind }>;

export interface Props {
  token: string;
  /** The answer to a form that was refused. */
  refused:
    { errors: FormErrors | undefined; input?: TypedContent; unanswered?: boolean } | undefined;
}

/** The title of the page, which is its heading, too, where that needs no more. */
export function linkPageTitle(page: Pick<LinkPage, "kind">, view: View): string {
  switch (page.kind) {
    case "ask":
      return view === "absent" ? "You did not take part?" : "How was it?";
    case "posted":
      if (view === "change") return "Change your review";
      return view === "delete" ? "Delete your review?" : "Thank you, your review is live";
    case "deleted":
      return "Your review is deleted";
    case "absent":
      return "Thank you for telling us";
    case "other":
      return "This link is somebody else’s";
    case "over":
      return DEAD_LINK;
  }
}

export function Ask({
  page,
  token,
  refused,
  rating,
}: Props & { page: Page<"ask">; rating: number | null }) {
  const { tour, departedAt, author, guide, guideIsTold } = page;
  const path = requestPath(token);
  return (
    <div className="narrow stack">
      <h1>
        <span>How was</span> <TourLink {...tour} />?
      </h1>
      <p className="lead">
        <Time at={departedAt} zone={tour.timeZone} />
      </p>
      <div className="card stack">
        <ErrorSummary errors={refused?.errors} />
        <Form method="post" action={path} className="form review-form">
          <ContentFields
            content={{ ...NO_WORDS, ...refused?.input, rating: refused?.input?.rating || rating }}
            errors={refused?.errors?.fields}
          />
          <ul className="hint consequences">
            <li>
              Your review is public and shows the name{" "}
              <strong>
                <bdi translate="no">{author || "An explorer"}</bdi>
              </strong>
              .
            </li>
            {guideIsTold !== "none" && guide && (
              <li>
                We’ll e-mail <bdi translate="no">{guide}</bdi>
                <span>{guideIsTold === "daily" ? " about it once a day." : " about it."}</span>
              </li>
            )}
            <li>You can change or delete it here for 24 hours.</li>
          </ul>
          <div>
            <SubmitButton action={path}>
              {refused?.unanswered ? "Try again" : "Post review"}
            </SubmitButton>
          </div>
        </Form>
      </div>
      <p>
        <Link to="?absent=1">You did not take part?</Link>
      </p>
    </div>
  );
}

export function AskAbsent({ page: { tour }, token, refused }: Props & { page: Page<"ask"> }) {
  const path = requestPath(token);
  return (
    <div className="centred stack">
      <h1>You did not take part?</h1>
      <ErrorSummary errors={refused?.errors} />
      <p className="lead">
        Then please don’t review <TourLink {...tour} />. Tell us, and this link no longer works.
        Your booking stays as it is.
      </p>
      <Form method="post" action={path} className="row">
        <SubmitButton action={path} name="intent" value="absent">
          I did not take part
        </SubmitButton>
        <Link className="button button-quiet" to={path}>
          I did, and want to review it
        </Link>
      </Form>
    </div>
  );
}

/** The page of a link that belongs to another user than the one who is logged in. */
export const Other = ({
  page: { firstName },
  refused,
}: Pick<Props, "refused"> & { page: Page<"other"> }) => (
  <div className="centred stack">
    <h1>This link is somebody else’s</h1>
    <p className="lead">
      <span>It was sent to</span> <bdi translate="no">{firstName || "another guest"}</bdi>. If that
      is you, log out and open the link again.
    </p>
    <UnsentReview input={refused?.input} />
    <Form method="post" action="/logout" reloadDocument>
      <SubmitButton action="/logout">Log out</SubmitButton>
    </Form>
  </div>
);

/** The page of a link that is used up, too old or unknown. */
export function Done({
  page,
  refused,
}: Pick<Props, "refused"> & { page: Page<"absent" | "deleted" | "over"> }) {
  return (
    <div className="centred stack">
      <h1>{linkPageTitle(page, null)}</h1>
      <p className="lead">
        {page.kind === "over"
          ? "It has been used or has expired. Please also check that you opened the complete address."
          : page.kind === "absent"
            ? "We don’t ask you about this tour again."
            : "You can still read what others say."}
      </p>
      <UnsentReview input={refused?.input} />
      <p>
        <Link className="button" to={page.tour ? tourPath(page.tour.slug) : "/"}>
          {page.tour ? "See the tour" : "See all tours"}
        </Link>
      </p>
    </div>
  );
}
