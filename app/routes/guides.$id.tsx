import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Avatar } from "~/ui/avatar";
import { CLOSED } from "~/tours/closed";
import { Cover } from "~/tours/pictures";
import { ReviewOfTour } from "~/guides/review-of-tour";
import { PageLinks } from "~/ui/page-links";
import { guidePath } from "~/ui/paths";
import { MeanRating, reviewsInWords, shownMean } from "~/ui/stars";
import { Time } from "~/ui/time";
import { TourLink } from "~/ui/tour-link";
import { Section } from "~/ui/section";
import { cacheable, env, ownPicture, publicMeta, withErrorPage } from "~/server/for-routes.server";
import { isolated } from "~/lib/text";
import { type GuideProfile, guideProfile } from "~/guides/guide-profile.server";
import { toursInWords } from "~/tours/tours-in-words";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const page = Number(new URL(request.url).searchParams.get("page"));
  const guide = cacheable(await withErrorPage(guideProfile(params.id ?? "", page)));
  const url = env().appUrl + guidePageAddress(guide.id, guide.tours.page);
  return { guide, meta: guideMeta(guide, url) };
}

const guidePageAddress = (id: string, page: number) =>
  `${guidePath(id)}${page > 1 ? `?page=${page}` : ""}`;

function guideMeta(guide: Omit<GuideProfile, "dependsOn">, url: string) {
  const { page, pages, items } = guide.tours;
  const rated = guide.avgRating
    ? `, rated ${shownMean(guide.avgRating)} out of 5 in ${reviewsInWords(guide.reviewCount)}`
    : "";
  const tours = toursInWords(guide.tourCount);
  const name = isolated(guide.name);
  return publicMeta({
    title: `${name}, guide of ${tours}${pages > 1 ? `, page ${page} of ${pages}` : ""}`,
    description: `${name} leads ${tours}${rated}: ${items.map(({ title }) => isolated(title)).join(", ")}.`,
    url,
    image: ownPicture(guide.image, `${name}, guide`),
    seed: guide.id,
    type: "profile",
  });
}

export { loadedMeta as meta } from "~/ui/site";

export const handle = { hydrate: false };

export default function Guide() {
  const { guide } = useLoaderData<typeof loader>();
  const { tours, reviews } = guide;
  return (
    <div className="stack-l">
      <div className="guide-head">
        <Avatar name={guide.name} image={guide.image} />
        <div>
          <h1>
            <bdi translate="no">{guide.name}</bdi>
          </h1>
          <p className="lead">{`Guide of ${toursInWords(guide.tourCount)}`}</p>
          <MeanRating mean={guide.avgRating} count={guide.reviewCount} />
        </div>
      </div>
      <Section id="tours" title="Tours">
        <ul className="tours">
          {tours.items.map((tour, n) => (
            <li key={tour.id} className="tour-card">
              <Cover tour={tour} place={n} />
              <div>
                <h3>
                  <TourLink {...tour} />
                </h3>
                {tour.location && (
                  <p className="muted small">
                    <bdi>{tour.location}</bdi>
                  </p>
                )}
                {tour.isClosed && <p className="muted small">{CLOSED}</p>}
                {tour.nextDate && (
                  <p className="muted small">
                    Next: <Time at={tour.nextDate} zone={tour.timeZone} form="short" />
                  </p>
                )}
                <MeanRating mean={tour.avgRating} count={tour.reviewCount} />
              </div>
            </li>
          ))}
        </ul>
        <PageLinks
          {...tours}
          label="Pages of tours"
          to={(page) => `${guidePageAddress(guide.id, page)}#tours`}
        />
      </Section>
      {reviews.length > 0 && (
        <Section id="newest" title="Newest reviews" className="stack narrow">
          <ul className="reviews">
            {reviews.map((review) => (
              <li key={review.id}>
                <ReviewOfTour review={review} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}
