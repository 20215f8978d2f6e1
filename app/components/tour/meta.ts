import type { MetaDescriptor } from "@remix-run/react";
import type { ListedReview } from "~/services/reviews/page.server";
import type { TourPage } from "~/services/tours/tours.server";
import { publicMeta } from "../meta";
import { isPicture } from "../picture";
import type { Selection } from "./address";

interface Shown extends Selection {
  tour: TourPage;
  isFirstPage: boolean;
}

/** The title of a tour's page, which names the reviews that it shows when these are not just the newest. */
export function tourTitle({ tour, stars, sort, isFirstPage }: Shown): string {
  const which = `${sort === "newest" ? "" : `, ${sort} first`}${isFirstPage ? "" : ", continued"}`;
  if (!stars && !which) return tour.title;
  return `${stars ? `${stars}-star reviews` : "Reviews"} of ${tour.title}${which}`;
}

interface Described {
  title: string;
  tour: TourPage;
  /** The page's own address, absolute. */
  url: string;
  /** The tour's newest ones; none where the page shows others, whatever its filter and order. */
  newest: ListedReview[];
}

/** How many of the reviews go into the structured data. */
const STRUCTURED_REVIEWS = 10;

/** The title, description, link preview and structured data of a tour's page. */
export function tourMeta({ title, tour, url, newest }: Described): MetaDescriptor[] {
  return [
    ...publicMeta({
      title,
      description:
        tour.description.trim() ||
        `What explorers say about ${tour.title}, with ${tour.guide.name}.`,
      url,
      image: isPicture(tour.image) ? tour.image : null,
      seed: tour.id,
      type: "product",
    }),
    // Search engines accept no rating without reviews.
    ...(tour.avgRating > 0 ? [{ "script:ld+json": structuredData({ tour, url, newest }) }] : []),
  ];
}

/** The tour with its rating, in the vocabulary of https://schema.org/Product. */
function structuredData({ tour, url, newest }: Omit<Described, "title">) {
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name: tour.title,
    description: tour.description,
    url,
    ...(isPicture(tour.image) && { image: tour.image }),
    aggregateRating: {
      "@type": "AggregateRating",
      ratingValue: tour.avgRating,
      reviewCount: tour.reviewCount,
      bestRating: 5,
      worstRating: 1,
    },
    ...(newest.length > 0 && {
      review: newest.slice(0, STRUCTURED_REVIEWS).map((review) => ({
        "@type": "Review",
        author: { "@type": "Person", name: review.user.name || "An explorer" },
        datePublished: review.createdAt,
        ...(review.rating !== null && {
          reviewRating: { "@type": "Rating", ratingValue: review.rating, bestRating: 5 },
        }),
        ...(review.comment && { reviewBody: review.comment }),
      })),
    }),
  };
}
