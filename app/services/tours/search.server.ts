import type { PipelineStage, QueryFilter } from "mongoose";
import { readTour, Tour, type TourDocument } from "../../../models/tour";
import { User, type UserDocument } from "../../../models/user";
import { objectIds } from "../../infra/ids.server";
import type { TourSort } from "./sorts";
import { type TourPage, withGuides } from "./tours.server";

/** Tours on one page of the list. */
export const TOURS_PER_PAGE = 12;

/**
 * How many average reviews every tour is given on top of its own when the best rated are sorted, so
 * that a single 5-star review does not outrank a hundred of 4.8.
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
 * name, without regard to case and accents. A `page` (from 1) past the end returns the last one.
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
  found.forEach((tour) => readTour(tour));
  return { tours: await withGuides(found), total, page: current, pages };
}

/** The number in that field of a tour, and 0 where a platform has stored anything else. */
const numberIn = (field: string) => ({
  // Every text, list or object is more than any number to the database.
  $cond: [{ $and: [{ $gte: [field, 0] }, { $lte: [field, 1e9] }] }, field, 0],
});

async function order(sort: TourSort): Promise<PipelineStage[]> {
  // ObjectIds begin with the time at which they were made.
  if (sort === "newest") return [{ $sort: { _id: -1 } }];
  const count = numberIn("$reviewCount");
  const mean = numberIn("$avgRating");
  if (sort === "reviewed")
    return [{ $addFields: { count, mean } }, { $sort: { count: -1, mean: -1, _id: -1 } }];
  const stars = { $multiply: [mean, count] };
  const [all] = await Tour.aggregate<{ stars: number; count: number }>([
    { $group: { _id: null, stars: { $sum: stars }, count: { $sum: count } } },
  ]);
  const meanOfAll = all?.count ? all.stars / all.count : 0;
  return [
    {
      $addFields: {
        score: {
          $divide: [{ $add: [stars, meanOfAll * PRIOR_REVIEWS] }, { $add: [count, PRIOR_REVIEWS] }],
        },
        count,
      },
    },
    { $sort: { score: -1, count: -1, _id: -1 } },
  ];
}

/** Longest search that is looked at, in words. */
const MOST_WORDS = 8;
/** Longest part of a word that is looked for, in characters. */
const WORD_LENGTH = 40;

async function matching(words: string): Promise<QueryFilter<TourDocument>> {
  // The database takes no null byte in a pattern, and nobody means a control character.
  const searched = words
    .normalize("NFC")
    .split(/[\s\p{Cc}]+/u)
    .filter(Boolean);
  const patterns = searched.slice(0, MOST_WORDS).map(accentBlind);
  if (patterns.length === 0) return {};
  const guideIds = objectIds(await Tour.distinct("createdById"));
  const guides = await User.find({ _id: { $in: guideIds } }, "name").lean<UserDocument[]>();
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
  const pattern = [...word.toLowerCase()]
    .slice(0, WORD_LENGTH)
    .map((letter) => {
      const same = ACCENTED.find((letters) => letters.includes(letter));
      // What is stored may have its accents as characters of their own (NFD).
      return same ? `[${same}][\u0300-\u036f]*` : letter.replace(/[^\p{L}\p{N}]/u, "\\$&");
    })
    .join("");
  return new RegExp(pattern, "i");
}
