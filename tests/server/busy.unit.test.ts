import { expect, test } from "vitest";
import { BusyError, UncertainError } from "~/lib/errors.server";
import type { ApiCall } from "~/server/api-request.server";
import { apiRoute } from "~/server/api-route.server";
import { refusedForm } from "~/server/form-data.server";

// Changes that did not come through (docs/rules/requests.md, Errors).

const CALL: ApiCall = {
  request: { method: "POST", url: "http://localhost/api/x", headers: new Headers() },
  url: new URL("http://localhost/api/x"),
  params: {},
  body: null,
};

test.each([
  ["of which nothing is stored", new BusyError(), "5"],
  ["that may be stored", new UncertainError(), null],
])(
  "the API answers one %s with the operation's text, and says by Retry-After which it is",
  async (_, error, seconds) => {
    const { answer } = apiRoute(
      { POST: { failure: "Failed to create review" } },
      { POST: () => Promise.reject(error) },
    );
    const { status, body, headers } = await answer(CALL);
    expect([status, body]).toEqual([500, JSON.stringify({ error: "Failed to create review" })]);
    expect(headers.get("Retry-After")).toBe(seconds);
  },
);

test.each([
  [
    new BusyError(),
    "The site is very busy. Nothing was stored: please try again in a moment.",
    "5",
  ],
  [
    new UncertainError(),
    "We cannot tell whether this was stored. Please look before you try again.",
    null,
  ],
])("a form says it in words, and keeps what was written", (error, form, seconds) => {
  const { data, init } = refusedForm(error, { input: "words" });
  expect(data).toEqual({ errors: { fields: {}, form }, input: "words" });
  expect(init?.status).toBe(503);
  expect(new Headers(init?.headers).get("Retry-After")).toBe(seconds);
});
