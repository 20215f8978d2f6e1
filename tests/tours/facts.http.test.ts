import { expect, it } from "vitest";
import type { TourDocument } from "#models/tour";
import { call } from "../support/app";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { app, get, useApp } from "../support/shared-app";

useApp();

const FACTS = {
  price: 45.5,
  currency: "EUR",
  meetingPoint: { text: "At the <well>", lat: 41.15, lng: -8.6 },
  groupSize: 12,
  minAge: 6,
  languages: ["en", "de", "xx"],
  included: ["Lunch", "A map"],
  bring: ["Shoes"],
};
const BOOKING = "https://tours.example.com/harbour";

/** The page's facts by name, without markup. */
async function shownFacts({ slug }: TourDocument) {
  const { text, status } = await get(`/tours/${slug}`);
  expect(status).toBe(200);
  const facts = text.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs);
  return Object.fromEntries(
    [...facts].map(([, name, html]) => [
      name!.replace(/<[^>]*>/g, ""),
      html!.replace(/<[^>]*>/g, "|").replace(/\|+/g, "|"),
    ]),
  );
}

it("a tour's page shows its facts, and nothing where nothing is known", async () => {
  const tour = await makeTour(FACTS);
  const { "Your guide": _, ...facts } = await shownFacts(tour);
  expect(facts).toEqual({
    Languages: "|English, German|",
    "Group size": "|Up to 12 people|",
    Age: "|From 6 years|",
    "Meeting point": "|At the &lt;well&gt;|Map on OpenStreetMap|",
    Included: "|Lunch|A map|",
    "What to bring": "|Shoes|",
  });
  const { text } = await get(`/tours/${tour.slug}`);
  expect(text).toContain('<strong class="price">€45.50</strong>');
  expect(text).toContain(
    'href="https://www.openstreetmap.org/?mlat=41.150000&amp;mlon=-8.600000#map=17/41.150000/-8.600000"',
  );
  const bare = await makeTour();
  expect(await shownFacts(bare)).toEqual({ "Your guide": expect.any(String) });
  expect((await get(`/tours/${bare.slug}`)).text).not.toContain('id="description"');
});

it("the price is an offer of a tour with a rating", async () => {
  const offerOf = async (fields: Partial<TourDocument>) => {
    const tour = await makeTour(fields);
    await makeReview(await makeUser(), tour);
    const { text } = await get(`/tours/${tour.slug}`);
    const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)!;
    return { slug: tour.slug, ...(JSON.parse(json!) as { offers?: unknown }) };
  };
  const offer = { "@type": "Offer", price: 45.5, priceCurrency: "EUR" };
  expect((await offerOf({ ...FACTS, bookingUrl: BOOKING })).offers).toEqual({
    ...offer,
    url: BOOKING,
  });
  const { offers, slug } = await offerOf(FACTS);
  expect(offers).toEqual({ ...offer, url: `${app.url}/tours/${slug}` });
  expect(await offerOf({ price: 45.5 })).not.toHaveProperty("offers");
  const unrated = await makeTour(FACTS);
  expect((await get(`/tours/${unrated.slug}`)).text).not.toContain('"Offer"');
});

it("the API says nothing of them", async () => {
  const { _id } = await makeTour(FACTS);
  const { json } = await call<{ tour: object }>(app, "GET", `/api/tours/${_id.toString()}`);
  expect(Object.keys(json!.tour).sort()).toEqual(
    "avgRating createdById id ratingCounts reviewCount slug title".split(" "),
  );
});
