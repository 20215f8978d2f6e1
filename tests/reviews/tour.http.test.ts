import { Types } from "mongoose";
import { describe, expect, it } from "vitest";
import { Tour } from "#models/tour";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { api, refusal, refused, reviewed, scene, tourState, useApp } from "../support/shared-app";

useApp();
const NO_TOUR = "Tour not found";
const unknownId = () => new Types.ObjectId().toString();

describe("GET /api/tours/{id}", () => {
  it("gives the tour with its aggregates and nothing more", async () => {
    const { tour, guide, tourId } = await reviewed({ rating: 4 });
    await makeReview(await makeUser(), tour, { rating: 5 });
    const answer = await api("GET", `/api/tours/${tourId}`);
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        tour: {
          id: tourId,
          title: "Old Town Walk",
          slug: tour.slug,
          createdById: guide._id.toString(),
          avgRating: 4.5,
          reviewCount: 2,
          ratingCounts: { "1": 0, "2": 0, "3": 0, "4": 1, "5": 1 },
        },
      },
    ]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await api("GET", `/api/tours/${tourId.toUpperCase()}`)).text).toBe(answer.text);
    const head = await api("HEAD", `/api/tours/${tourId}`);
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  it("gives zeros for a platform's tour that has no aggregates yet", async () => {
    const _id = new Types.ObjectId();
    const createdById = new Types.ObjectId();
    await Tour.collection.insertOne({ _id, title: "Bare", slug: "bare", createdById });
    expect(await tourState({ _id })).toEqual({
      id: _id.toString(),
      title: "Bare",
      slug: "bare",
      createdById: createdById.toString(),
      avgRating: 0,
      reviewCount: 0,
      ratingCounts: { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 },
    });
  });

  it("is 404 for an unknown id, and what is none", async () => {
    await scene();
    const operator = encodeURIComponent('{"$ne":null}');
    for (const id of [unknownId(), "old-town", "abcdefghijkl", operator, "%", "%ff"]) {
      const answer = await api("GET", `/api/tours/${id}`);
      expect([id, ...refusal(answer)]).toEqual([id, ...refused(404, NO_TOUR)]);
    }
  });
});

describe("GET /api/tours?slug=", () => {
  const bySlug = (slug: string) => api("GET", `/api/tours?slug=${encodeURIComponent(slug)}`);

  it("gives the tour with that slug, the same as by its id", async () => {
    const { tour, tourId } = await reviewed({ rating: 4 });
    const answer = await bySlug(tour.slug);
    expect([answer.status, answer.text]).toEqual([
      200,
      (await api("GET", `/api/tours/${tourId}`)).text,
    ]);
    expect(answer.json?.tour).toMatchObject({ id: tourId, slug: tour.slug, reviewCount: 1 });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const head = await api("HEAD", `/api/tours?slug=${tour.slug}`);
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  it("finds a slug with letters outside ASCII", async () => {
    const tour = await makeTour({ slug: "straße-&-café/1" });
    expect((await bySlug(tour.slug)).json?.tour?.id).toBe(tour._id.toString());
  });

  it("is 404 for an unknown slug, and 400 without one", async () => {
    await makeTour({ slug: "old" });
    for (const slug of ["no-such-tour", "OLD", '{"$ne":null}', "\u0000", "x".repeat(5_000)])
      expect(refusal(await bySlug(slug))).toEqual(refused(404, NO_TOUR));
    for (const query of ["", "?slug=", "?slug", "?Slug=old", "?slug[$ne]=x"]) {
      const answer = await api("GET", `/api/tours${query}`);
      expect(refusal(answer)).toEqual(refused(400, "Slug is required"));
    }
  });
});
