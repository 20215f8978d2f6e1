import { isolated } from "~/lib/text";
import { unlisted } from "~/ui/site";
import { namedTour } from "./named-tour.server";
import { toShownPictures } from "./pictures.server";
import { getStoredTour } from "./tours.server";

/**
 * Returns the picture of a tour at that place, counted from 1: another place is the first or the last one. Without any,
 * null. Throws `ServiceError` 404 "Tour not found".
 */
export async function getTourPicture(slug: string, asked: string | null) {
  const tour = await getStoredTour(slug);
  const pictures = toShownPictures(tour);
  const count = pictures.length;
  const wanted = /^[1-9]\d{0,3}$/.test(asked ?? "") ? Number(asked) : 1;
  const number = Math.min(wanted, count);
  const heading = count === 0 ? "No pictures" : `Picture ${number} of ${count}`;
  return {
    tour: namedTour(tour),
    picture: pictures[number - 1] ?? null,
    number,
    count,
    heading,
    meta: unlisted(`${heading} of ${isolated(tour.title)}`),
  };
}
