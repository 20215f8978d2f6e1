import type { PipelineStage, QueryFilter } from "mongoose";
import { Tour, type RatingCounts, type TourDocument } from "../../../models/tour";
import { User, type UserDocument } from "../../../models/user";
import { ServiceError } from "../../infra/errors.server";
import { toObjectId } from "../../infra/ids.server";
import { storedRatings } from "../reviews/ratings.server";
import type { TourSort } from "../reviews/limits";

/** A tour as the API shows it (contract, GET /api/tours/{id}). */
export interface PublicTour {
  id: string;
  title: string;
  slug: string;
  createdById: string;
  avgRating: number;
  reviewCount: number;
  ratingCounts: RatingCounts;
}

/** A tour as its page shows it. */
export interface TourPage extends PublicTour {
  description: string;
  location: string | null;
  durationMinutes: number | null;
  /** ISO 8601, UTC. */
  date: string | null;
  image: string | null;
  guide: { name: string; image: string | null };
}

/** The tour of that id; throws `ServiceError` 404 "Tour not found". */
export async function getTour(tourId: string): Promise<PublicTour> {
  const id = toObjectId(tourId);
  const tour = id && (await Tour.findById(id).lean<TourDocument>());
  if (!tour) throw new ServiceError(404, "Tour not found");
  return toPublicTour(tour);
}

/** The tour of that slug with its guide; throws `ServiceError` 404 "Tour not found". */
export async function getTourPage(slug: string): Promise<TourPage> {
  const tour = await Tour.findOne({ slug }).lean<TourDocument>();
  if (!tour) throw new ServiceError(404, "Tour not found");
  const [page] = await withGuides([tour]);
  return page!;
}

/** Whether the user is the guide of any tour. */
export async function leadsTours(userId: string): Promise<boolean> {
  return (await Tour.exists({ createdById: toObjectId(userId) })) !== null;
}

/** Tours on one page of the list. */
export const TOURS_PER_PAGE = 12;

/**
 * How many average reviews every tour is given on top of its own when the best rated are sorted, so
 * that a single 5-star review does not win over a hundred of 4.8.
 */
const PRIOR_REVIEWS = 10;

export interface TourSearch {
  tours: TourPage[];
  total: number;
  page: number;
  pages: number;
}

/**
 * One page of the tours that have every word of `words` in title, place, description or guide's
 * name, without regard to case and accents. A `page` (from 1) past the end gives the last one.
 */
export async function searchTours(
  words: string,
  sort: TourSort,
  page: number,
): Promise<TourSearch> {
  const filter = await matching(words);
  const total = await Tour.countDocuments(filter);
  const pages = Math.max(1, Math.ceil(total / TOURS_PER_PAGE));
  const current = Math.min(page, pages);
  const found = await Tour.aggregate<TourDocument>([
    { $match: filter },
    ...(await order(sort)),
    { $skip: (current - 1) * TOURS_PER_PAGE },
    { $limit: TOURS_PER_PAGE },
  ]);
  return { tours: await withGuides(found), total, page: current, pages };
}

async function order(sort: TourSort): Promise<PipelineStage[]> {
  // ObjectIds begin with the time at which they were made.
  if (sort === "newest") return [{ $sort: { _id: -1 } }];
  if (sort === "reviewed") return [{ $sort: { reviewCount: -1, avgRating: -1, _id: -1 } }];
  const count = { $ifNull: ["$reviewCount", 0] };
  const stars = { $multiply: [{ $ifNull: ["$avgRating", 0] }, count] };
  const [all] = await Tour.aggregate<{ stars: number; count: number }>([
    { $group: { _id: null, stars: { $sum: stars }, count: { $sum: count } } },
  ]);
  const mean = all?.count ? all.stars / all.count : 0;
  return [
    {
      $addFields: {
        score: {
          $divide: [{ $add: [stars, mean * PRIOR_REVIEWS] }, { $add: [count, PRIOR_REVIEWS] }],
        },
      },
    },
    { $sort: { score: -1, reviewCount: -1, _id: -1 } },
  ];
}

/** Longest search that is looked at, in words. */
const MOST_WORDS = 8;

async function matching(words: string): Promise<QueryFilter<TourDocument>> {
  const patterns = words.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS).map(accentBlind);
  if (patterns.length === 0) return {};
  const guides = await User.find({ _id: { $in: await Tour.distinct("createdById") } }, "name").lean<
    UserDocument[]
  >();
  return {
    $and: patterns.map((pattern) => ({
      $or: [
        { title: pattern },
        { location: pattern },
        { description: pattern },
        {
          createdById: {
            $in: guides.filter(({ name }) => pattern.test(name)).map(({ _id }) => _id),
          },
        },
      ],
    })),
  };
}

const ACCENTED = [
  "aàáâãäåāă",
  "cçćč",
  "dďđ",
  "eèéêëēėęě",
  "gğ",
  "iìíîïīı",
  "lł",
  "nñńň",
  "oòóôõöøōő",
  "rř",
  "sśšş",
  "tťţ",
  "uùúûüūůű",
  "yýÿ",
  "zźżž",
];

/** A pattern that finds the word however its letters are accented, and nothing else in it is special. */
function accentBlind(word: string): RegExp {
  const pattern = [...word.slice(0, 40).toLowerCase()]
    .map((letter) => {
      const same = ACCENTED.find((letters) => letters.includes(letter));
      return same ? `[${same}]` : letter.replace(/[^\p{L}\p{N}]/u, "\\$&");
    })
    .join("");
  return new RegExp(pattern, "i");
}

async function withGuides(tours: TourDocument[]): Promise<TourPage[]> {
  const guides = await User.find(
    { _id: { $in: tours.map((tour) => tour.createdById) } },
    "name image",
  ).lean<UserDocument[]>();
  const byId = new Map(guides.map((guide) => [guide._id.toString(), guide]));
  return tours.map((tour) => {
    const guide = byId.get(tour.createdById.toString());
    return {
      ...toPublicTour(tour),
      description: tour.description ?? "",
      location: tour.location ?? null,
      durationMinutes: tour.durationMinutes ?? null,
      date: tour.date?.toISOString() ?? null,
      image: tour.image ?? null,
      guide: {
        name: guide ? guide.name || "Guide" : "A former guide",
        image: guide?.image ?? null,
      },
    };
  });
}

function toPublicTour(tour: TourDocument): PublicTour {
  return {
    id: tour._id.toString(),
    title: tour.title,
    slug: tour.slug,
    createdById: tour.createdById.toString(),
    ...storedRatings(tour),
  };
}
