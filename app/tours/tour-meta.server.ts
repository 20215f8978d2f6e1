import type { MetaDescriptor } from "@remix-run/react";
import { env } from "~/config/env.server";
import { isolated, withoutControls } from "~/lib/text";
import { isDayAlone, isoWithOffset } from "~/config/zones";
import type { ListedReview } from "~/reviews/list/listed-review.server";
import { bookingCheck } from "~/reviews/list/booking-check";
import { languageName } from "~/search/language.server";
import { publicMeta } from "~/ui/meta.server";
import { tourPath } from "~/ui/paths";
import { authorName } from "~/reviews/list/review";
import { reviewsInWords, shownMean } from "~/ui/stars";
import type { Price } from "./facts.server";
import type { ShownPicture } from "./pictures.server";
import type { Selection } from "./tour-address";

/** The part of a tour's page that its metadata tell. */
interface TourForMeta {
  title: string;
  slug: string;
  description: string;
  avgRating: number;
  reviewCount: number;
  departure: string | null;
  timeZone: string;
  picture: ShownPicture | null;
  price: Price | null;
  bookingUrl: string | null;
  guide: { name: string };
}

interface ShownReviews {
  tour: TourForMeta;
  selection: Selection;
  page: { reviews: ListedReview[] };
  isFirstPage: boolean;
  departed: boolean;
}

const ORDER_NAMES = { highest: "highest", lowest: "lowest", telling: "most detailed" };

/** Names the reviews that the page shows when these are not just the newest. */
function pageTitle({ tour, selection, isFirstPage }: ShownReviews): string {
  const { stars, commented, sort, words, language } = selection;
  const which = `${sort === "newest" ? "" : `, ${ORDER_NAMES[sort]} first`}${isFirstPage ? "" : ", continued"}`;
  const title = isolated(tour.title);
  if (!stars && !commented && !which && !words && !language) return title;
  const reviews = stars ? `${stars}-star reviews` : "Reviews";
  const inLanguage = language ? ` in ${languageName(language) ?? language}` : "";
  const withWords = words ? ` with “${isolated(words)}”` : commented ? " with comments" : "";
  return `${reviews}${inLanguage}${withWords} of ${title}${which}`;
}

const STRUCTURED_REVIEWS = 10;

export function tourMeta(shown: ShownReviews): MetaDescriptor[] {
  const { tour, selection, page, isFirstPage, departed } = shown;
  const { stars, commented, sort, words, language } = selection;
  const url = env().appUrl + tourPath(tour.slug);
  const picture = pictureUrl(tour);
  // The page's metadata lists the newest reviews, independent of filter and order.
  const isAll = !stars && !commented && !words && !language;
  const newest = isAll && sort === "newest" && isFirstPage ? page.reviews : [];
  return [
    ...publicMeta({
      title: pageTitle(shown),
      description: ratedAndDescribed(tour),
      url,
      image:
        picture === null ? null : { url: picture, alt: isolated(tour.picture?.alt || tour.title) },
      type: "product",
    }),
    {
      tagName: "link",
      rel: "alternate",
      type: "application/json+oembed",
      href: `${env().appUrl}/oembed?url=${encodeURIComponent(url)}`,
    },
    {
      tagName: "link",
      rel: "alternate",
      type: "application/atom+xml",
      title: "Reviews",
      href: `${url}/reviews.atom`,
    },
    // Search engines accept no rating without reviews.
    ...(tour.avgRating > 0 ? [{ "script:ld+json": structuredData(tour, newest) }] : []),
    ...(departed ? [] : departureData(tour, url)),
  ];
}

/** The address of its first picture, also from elsewhere. */
const pictureUrl = ({ picture }: TourForMeta): string | null =>
  picture && new URL(picture.src, env().appUrl).href;

/** The next departure, where its time is known, in the vocabulary of https://schema.org/TouristTrip. */
function departureData({ title, departure, timeZone }: TourForMeta, url: string): MetaDescriptor[] {
  if (departure === null || isDayAlone(new Date(departure), timeZone)) return [];
  const trip = { "@context": "https://schema.org", "@type": "TouristTrip", name: title, url };
  const departureTime = isoWithOffset(new Date(departure), timeZone);
  return [{ "script:ld+json": { ...trip, departureTime } }];
}

/** "Rated 4.6 out of 5 in 88 reviews."; empty without reviews. */
function ratingSentence({ avgRating, reviewCount }: TourForMeta): string {
  if (reviewCount === 0) return "";
  const reviews = reviewsInWords(reviewCount);
  return avgRating > 0 ? `Rated ${shownMean(avgRating)} out of 5 in ${reviews}.` : `${reviews}.`;
}

/** Its rating first, as only the beginning of a description is shown. */
const ratedAndDescribed = (tour: TourForMeta) =>
  `${ratingSentence(tour)} ${
    isolated(tour.description.trim()) ||
    `Read what explorers say about ${isolated(tour.title)}, with ${isolated(tour.guide.name)}.`
  }`;

/** The tour with its rating and ten reviews, in the vocabulary of https://schema.org/Product. */
export function structuredData(tour: TourForMeta, newest: ListedReview[]) {
  const url = env().appUrl + tourPath(tour.slug);
  const picture = pictureUrl(tour);
  const publishingPrinciples = new URL("/about/reviews", url).href;
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name: tour.title,
    ...(tour.description.trim() !== "" && { description: withoutControls(tour.description) }),
    url,
    ...(picture && { image: picture }),
    ...(tour.price && {
      offers: {
        "@type": "Offer",
        price: tour.price.amount,
        priceCurrency: tour.price.currency,
        url: tour.bookingUrl ?? url,
      },
    }),
    ...(tour.avgRating > 0 && {
      aggregateRating: {
        "@type": "AggregateRating",
        // As the page shows it.
        ratingValue: Number(shownMean(tour.avgRating)),
        reviewCount: tour.reviewCount,
        bestRating: 5,
        worstRating: 1,
      },
    }),
    ...(newest.length > 0 && {
      review: newest.slice(0, STRUCTURED_REVIEWS).map((review) => ({
        "@type": "Review",
        author: { "@type": "Person", name: authorName(review) },
        datePublished: isoWithOffset(new Date(review.createdAt), tour.timeZone),
        ...(review.rating !== null && {
          reviewRating: { "@type": "Rating", ratingValue: review.rating, bestRating: 5 },
        }),
        ...(review.comment && { reviewBody: withoutControls(review.comment) }),
        // The vocabulary has no word of its own for it.
        keywords: bookingCheck(review.verified),
        publishingPrinciples,
      })),
    }),
  };
}
