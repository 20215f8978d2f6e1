import type { PublicReview } from "~/store/reviews/public-review.server";
import { listReviews, type ReviewList } from "~/store/reviews/list.server";

/** The JSON of a list, whether it comes as a whole or in parts. */
export async function jsonOf(list: ReviewList): Promise<string> {
  if (list.body) return list.body.toString();
  let json = "";
  for await (const part of list.parts()) json += part;
  return json;
}

/** The reviews of a tour as the API lists them. */
export async function listedReviews(tourId: string): Promise<PublicReview[]> {
  const json = await jsonOf(await listReviews(tourId));
  return (JSON.parse(json) as { reviews: PublicReview[] }).reviews;
}
