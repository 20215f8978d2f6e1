import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useFetcher, useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { Avatar } from "~/components/avatar";
import { Cover } from "~/components/cover";
import { DeleteReviewLink } from "~/components/delete-review";
import { CommentField, ErrorSummary, StarInput, SubmitButton } from "~/components/forms";
import { tourPath } from "~/components/paths";
import { OwnReviewLinks, Review } from "~/components/review";
import { Rating, reviewsInWords, Stars } from "~/components/stars";
import { Time, timeLeft } from "~/components/time";
import { currentUser } from "~/http/current-user.server";
import { refusedForm, text } from "~/http/forms.server";
import { env } from "~/infra/env.server";
import { redirectWithNotice, requireUser, withErrorPage } from "~/http/pages.server";
import { reviewForm } from "~/http/reviews.server";
import { listReviews, pageOfReviews, type ListedReview } from "~/services/reviews/list.server";
import { createReview } from "~/services/reviews/create.server";
import { EDIT_WINDOW_MS } from "~/services/reviews/limits";
import { type ReviewEligibility, reviewEligibility } from "~/services/reviews/eligibility.server";
import { findSameReview } from "~/services/reviews/own-review.server";
import { REVIEW_SORTS, type ReviewSort } from "~/services/reviews/limits";
import { getTourPage, type TourPage } from "~/services/tours/tours.server";
import { texts } from "~/services/reviews/texts";

export { headers } from "~/http/retry-after.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const tour = await withErrorPage(getTourPage(params.slug ?? ""));
  const { searchParams } = new URL(request.url);
  const sort = REVIEW_SORTS.find((name) => name === searchParams.get("sort")) ?? REVIEW_SORTS[0];
  const stars = /^[1-5]$/.test(searchParams.get("stars") ?? "")
    ? Number(searchParams.get("stars"))
    : null;
  const after = searchParams.get("after");
  const [list, user] = await Promise.all([listReviews(tour.id), currentUser(request)]);
  const eligibility = await reviewEligibility(user, tour);
  const own =
    eligibility.kind === "alreadyReviewed"
      ? list.reviews.find(({ id }) => id === eligibility.reviewId)
      : null;
  return {
    tour,
    url: env().appUrl + tourPath(tour.slug),
    page: pageOfReviews(list, { stars, sort, after }),
    stars,
    sort,
    isFirstPage: after === null,
    eligibility,
    own: own ? { id: own.id, left: editTimeLeft(own) } : null,
  };
}

function editTimeLeft({ createdAt }: ListedReview): string | null {
  const until = new Date(new Date(createdAt).getTime() + EDIT_WINDOW_MS);
  const now = new Date();
  return now > until ? null : timeLeft(until, now);
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const tour = await withErrorPage(getTourPage(params.slug ?? ""));
  const form = await request.formData();
  const body = { ...reviewForm(form), tourId: tour.id };
  const posted = (reviewId: string) =>
    redirectWithNotice(request, `${tourPath(tour.slug)}#review-${reviewId}`, texts.created);
  try {
    return await posted((await createReview(user, body)).id);
  } catch (error) {
    const input = { rating: Number(text(form, "rating")), comment: text(form, "comment") };
    const refused = refusedForm(error, { input });
    // A form that was sent twice has done what it should.
    const twin = await findSameReview(user, body);
    return twin ? posted(twin) : refused;
  }
}

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  if (!data) return [{ title: "Tour Reviews" }];
  const { tour, url, page } = data;
  const description = tour.description.replace(/\s+/g, " ").slice(0, 200);
  const structured = {
    "@context": "https://schema.org",
    "@type": "Product",
    name: tour.title,
    description: tour.description,
    url,
    ...(tour.image && { image: tour.image }),
    aggregateRating: {
      "@type": "AggregateRating",
      ratingValue: tour.avgRating,
      reviewCount: tour.reviewCount,
      bestRating: 5,
      worstRating: 1,
    },
    review: page.reviews.slice(0, 10).map((review) => ({
      "@type": "Review",
      author: { "@type": "Person", name: review.user.name || "An explorer" },
      datePublished: review.createdAt,
      reviewRating: { "@type": "Rating", ratingValue: review.rating, bestRating: 5 },
      ...(review.comment && { reviewBody: review.comment }),
    })),
  };
  return [
    { title: `${tour.title} · Tour Reviews` },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:title", content: tour.title },
    { property: "og:description", content: description },
    { property: "og:type", content: "product" },
    { property: "og:url", content: url },
    { property: "og:site_name", content: "Tour Reviews" },
    ...(tour.image ? [{ property: "og:image", content: tour.image }] : []),
    ...(tour.reviewCount > 0 ? [{ "script:ld+json": structured }] : []),
  ];
};

type Data = ReturnType<typeof useLoaderData<typeof loader>>;

/** The address of the tour's reviews with these filters; the defaults are left out. */
function addressOf(slug: string, stars: number | null, sort: ReviewSort, after?: string): string {
  const query = new URLSearchParams({
    ...(stars && { stars: String(stars) }),
    ...(sort !== REVIEW_SORTS[0] && { sort }),
    ...(after && { after }),
  }).toString();
  return `${tourPath(slug)}${query && `?${query}`}#reviews`;
}

export default function Tour() {
  const loaded = useLoaderData<typeof loader>();
  const { tour, stars, sort } = loaded;
  return (
    <div className="stack-l">
      <div className="stack">
        <div className="hero">
          <Cover tourId={tour.id} image={tour.image} />
        </div>
        <h1>{tour.title}</h1>
        <p>
          <a href="#reviews" className="plain-link">
            <Rating mean={tour.avgRating} count={tour.reviewCount} />
          </a>
        </p>
      </div>
      <div className="columns">
        <div className="stack-l">
          <section className="stack description" aria-label="Description">
            {tour.description.split(/\n{2,}/).map((paragraph, index) => (
              <p key={index}>{paragraph}</p>
            ))}
          </section>
          <section className="stack" aria-labelledby="write">
            <WriteReview />
          </section>
          <section className="stack" aria-labelledby="reviews">
            <h2 id="reviews">Reviews</h2>
            {tour.reviewCount > 0 && <Summary {...loaded} />}
            <p className="hint" id="verified">
              <strong>Verified booking:</strong> only explorers whose booking of this tour was
              completed can review it. The guide marks completion, or it follows 24 hours after the
              tour. Guides can neither review their own tours nor remove reviews.
            </p>
            {/* A new selection starts anew, whatever was added below the old one. */}
            <Reviews key={`${stars}${sort}${loaded.page.reviews[0]?.id}`} {...loaded} />
          </section>
        </div>
        <Facts tour={tour} />
      </div>
    </div>
  );
}

function Facts({ tour }: { tour: TourPage }) {
  const hours = tour.durationMinutes && Math.round(tour.durationMinutes / 6) / 10;
  return (
    <aside className="card stack" aria-label="About this tour">
      <p className="row">
        <Avatar name={tour.guide.name} image={tour.guide.image} />
        <span>
          <span className="muted small">Your guide</span>
          <br />
          <strong>{tour.guide.name}</strong>
        </span>
      </p>
      <dl className="facts">
        {tour.location && (
          <>
            <dt>Where</dt>
            <dd>{tour.location}</dd>
          </>
        )}
        {tour.date && (
          <>
            <dt>Date</dt>
            <dd>
              <Time at={tour.date} />
            </dd>
          </>
        )}
        {hours && (
          <>
            <dt>Takes</dt>
            <dd>
              {hours} {hours === 1 ? "hour" : "hours"}
            </dd>
          </>
        )}
      </dl>
    </aside>
  );
}

function Summary({ tour, stars, sort, page }: Data) {
  const most = Math.max(...Object.values(tour.ratingCounts));
  return (
    <div className="stack">
      <div className="card summary">
        <p className="score">
          <strong>{tour.avgRating.toFixed(1)}</strong>
          <span>
            <Stars value={tour.avgRating} />
            <span className="muted">
              <span className="visually-hidden">out of 5 from </span>
              {reviewsInWords(tour.reviewCount)}
            </span>
          </span>
        </p>
        <ul className="histogram">
          {([5, 4, 3, 2, 1] as const).map((value) => {
            const count = tour.ratingCounts[value];
            return (
              <li key={value}>
                <Link
                  to={addressOf(tour.slug, value, sort)}
                  aria-current={stars === value ? "true" : undefined}
                  aria-label={`${value} ${value === 1 ? "star" : "stars"}: ${reviewsInWords(count)}`}
                >
                  <span>
                    {value} {value === 1 ? "star" : "stars"}
                  </span>
                  <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={(100 * count) / most} height="6" />
                  </svg>
                  <span>{count}</span>
                </Link>
              </li>
            );
          })}
        </ul>
      </div>
      <div className="row spread no-print">
        <nav className="chips" aria-label="Sort reviews by">
          {REVIEW_SORTS.map((name) => (
            <Link
              key={name}
              to={addressOf(tour.slug, stars, name)}
              aria-current={sort === name ? "true" : undefined}
            >
              {{ newest: "Newest", highest: "Highest", lowest: "Lowest" }[name]}
            </Link>
          ))}
        </nav>
        {stars && (
          <p className="muted small" role="status">
            {reviewsInWords(page.total)} with {stars} {stars === 1 ? "star" : "stars"} ·{" "}
            <Link to={addressOf(tour.slug, null, sort)}>show all</Link>
          </p>
        )}
      </div>
    </div>
  );
}

function Reviews({ tour, page, stars, sort, isFirstPage, own }: Data) {
  // Pages that a script has added below the one that the server sent.
  const fetcher = useFetcher<typeof loader>();
  const [added, setAdded] = useState<Data["page"][]>([]);
  const [seen, setSeen] = useState<Data>();
  if (fetcher.data && fetcher.data !== seen) {
    setSeen(fetcher.data);
    setAdded([...added, fetcher.data.page]);
  }
  const reviews = [page, ...added].flatMap((part) => part.reviews);
  const { next } = added.at(-1) ?? page;
  const more = next && addressOf(tour.slug, stars, sort, next);
  if (tour.reviewCount === 0) return <p className="empty">Nobody has reviewed this tour yet.</p>;
  return (
    <>
      {!isFirstPage && (
        <p>
          <Link to={addressOf(tour.slug, stars, sort)}>Back to the first reviews</Link>
        </p>
      )}
      {reviews.length === 0 && <p className="empty">No review has these stars.</p>}
      <ul className="reviews">
        {reviews.map((review) => (
          <li key={review.id}>
            <Review review={review}>
              {own?.id === review.id && (
                <OwnReviewLinks
                  reviewId={own.id}
                  left={own.left}
                  deleteLink={<DeleteReviewLink reviewId={own.id} />}
                />
              )}
            </Review>
          </li>
        ))}
      </ul>
      {more && (
        <p className="no-print">
          <Link
            className="button button-quiet"
            to={more}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              if (fetcher.state === "idle") fetcher.load(more.split("#")[0]!);
            }}
          >
            {fetcher.state === "idle" ? "More reviews" : "One moment …"}
          </Link>
        </p>
      )}
    </>
  );
}

function WriteReview() {
  const { tour, eligibility, own } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  if (eligibility.kind !== "eligible")
    return (
      <>
        <h2 id="write">Your review</h2>
        <WhyNot eligibility={eligibility} slug={tour.slug} own={own} error={refused?.errors.form} />
      </>
    );
  const formAction = tourPath(tour.slug);
  return (
    <div className="card stack">
      <h2 id="write">Write a review</h2>
      <p className="muted">You were there. What should others know?</p>
      <ErrorSummary errors={refused?.errors} />
      <Form method="post" action={formAction} className="form review-form">
        <StarInput defaultValue={refused?.input.rating} error={refused?.errors.fields.rating} />
        <CommentField
          defaultValue={refused?.input.comment}
          error={refused?.errors.fields.comment}
        />
        <div>
          <SubmitButton action={formAction}>Post review</SubmitButton>
        </div>
      </Form>
    </div>
  );
}

/** Why the visitor cannot review the tour, in the API's words, and the next step. */
function WhyNot({
  eligibility,
  slug,
  own,
  error,
}: {
  eligibility: ReviewEligibility;
  slug: string;
  own: { id: string } | null;
  error: string | undefined;
}) {
  if (eligibility.kind === "loggedOut")
    return (
      <p>
        Were you there?{" "}
        <Link to={`/login?redirectTo=${encodeURIComponent(`${tourPath(slug)}#write`)}`}>
          Log in
        </Link>{" "}
        to review this tour.
      </p>
    );
  if (eligibility.kind === "eligible") return null;
  return (
    <div className="stack">
      {error && error !== eligibility.text && <ErrorSummary errors={{ form: error, fields: {} }} />}
      <p>
        {eligibility.text}
        {eligibility.kind !== "notCompleted" && "."}{" "}
        {eligibility.kind === "alreadyReviewed" && own && (
          <>
            <Link to={`/reviews/${own.id}/${"left" in own && own.left ? "edit" : "delete"}`}>
              {"left" in own && own.left ? "Edit your review" : "Delete your review"}
            </Link>{" "}
            or see <Link to="/me">all your reviews</Link>.
          </>
        )}
        {eligibility.kind === "ownTour" && (
          <Link to="/guide">See what explorers say about your tours.</Link>
        )}
        {eligibility.kind === "notCompleted" && <Link to="/me">Tours waiting for your review</Link>}
      </p>
    </div>
  );
}
