import type { Types } from "mongoose";
import { expect } from "vitest";
import { call, tokenOf, type Answer, type App } from "./app";
import { makeBookedExplorer, makeReview, makeTour, makeUser } from "./factories";
import { app } from "./shared-app";

// The API as a client uses it: the built app in a process of its own, over HTTP.

export interface ReviewBody {
  id: string;
  tourId: string;
  userId: string;
  rating: number;
  comment: string | null;
  createdAt: string;
  user: { name: string; image: string | null };
}
interface TourBody {
  id: string;
  title: string;
  slug: string;
  createdById: string;
  avgRating: number;
  reviewCount: number;
  ratingCounts: Record<string, number>;
}
/** Every field that any answer of the API may contain. */
interface Body {
  error?: string;
  message?: string;
  status?: string;
  review?: ReviewBody;
  reviews?: ReviewBody[];
  tour?: TourBody;
}
export type Options = Parameters<typeof call>[3];

export const REVIEW_FIELDS = ["comment", "createdAt", "id", "rating", "tourId", "user", "userId"];

/** Sends one request, and checks what all answers have in common. */
export async function api(
  method: string,
  path: string,
  options?: Options,
  server: Pick<App, "url"> = app,
): Promise<Answer<Body>> {
  const answer = await call<Body>(server, method, path, options);
  // All addresses of the factories end like this; no answer of the API shows one.
  expect(answer.text).not.toContain("@example.test");
  expect(answer.text).not.toContain("argon2");
  if (answer.text !== "") {
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.json).toBeTypeOf("object");
  }
  return answer;
}

/** The parts of an answer that make up a refusal. */
export const refusal = ({ status, json }: Answer<Body>) => [status, json];
export const refused = (status: number, error: string) => [status, { error }];

interface Identified {
  _id: Types.ObjectId;
}
export const list = async (tour: Identified) =>
  (await api("GET", `/api/reviews?tourId=${tour._id.toString()}`)).json?.reviews;
export const tourState = async (tour: Identified) =>
  (await api("GET", `/api/tours/${tour._id.toString()}`)).json?.tour;

/** A tour with its guide, and an explorer who may review it. */
export async function scene() {
  const guide = await makeUser({ name: "Gwen Guide", image: "https://img.example/gwen.png" });
  const tour = await makeTour({ createdById: guide._id, title: "Old Town Walk" });
  const guest = await makeBookedExplorer(tour, {
    name: "Ann",
    image: "https://img.example/ann.png",
  });
  const token = await tokenOf(guest);
  return { guide, tour, guest, token, tourId: tour._id.toString() };
}

/** The same, with a review by the explorer. */
export async function reviewed(fields: Parameters<typeof makeReview>[2] = {}) {
  const scenery = await scene();
  const { guest, tour } = scenery;
  const review = await makeReview(guest, tour, { comment: "as it was", ...fields });
  return { ...scenery, review, path: `/api/reviews/${review._id.toString()}` };
}
