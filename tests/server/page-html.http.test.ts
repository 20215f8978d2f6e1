import { expect, test } from "vitest";
import { makeTour } from "../support/factories";
import { get, useApp } from "../support/shared-app";

useApp();

test("a page has characters of several bytes unbroken wherever they stand, and nothing added", async () => {
  const description = "\u{1F6F6}ë–".repeat(3_000);
  const tour = await makeTour({ description });
  const { status, text } = await get(`/tours/${tour.slug}`);
  expect(status).toBe(200);
  expect(text).toContain(description);
  expect(text).not.toContain("\0");
});
