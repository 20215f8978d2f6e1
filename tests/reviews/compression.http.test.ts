import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { insertReviews, makeTour } from "../support/factories";
import { app, useApp } from "../support/shared-app";

useApp();

/** An answer as it is sent: `fetch` would decompress it. */
async function get(path: string, encoding: string | undefined, method = "GET") {
  const headers = encoding === undefined ? {} : { "accept-encoding": encoding };
  const request = httpRequest(app.url + path, { method, headers });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { headers: response.headers, body: Buffer.concat(chunks) };
}

async function listOf(reviews: number): Promise<string> {
  const { _id } = await makeTour();
  await insertReviews(_id, reviews, (n) => ({ comment: `Number ${n}` }));
  return `/api/reviews?tourId=${_id.toString()}`;
}

test("a list is sent with its length, compressed for clients that accept gzip", async () => {
  const path = await listOf(30);
  const plain = await get(path, undefined);
  expect(plain.headers["content-encoding"]).toBeUndefined();
  for (const encoding of ["gzip", "br;q=1.0, gzip;q=0.8, *;q=0.1", "deflate,GZIP"]) {
    const { headers, body } = await get(path, encoding);
    expect([encoding, headers["content-encoding"]]).toEqual([encoding, "gzip"]);
    expect(gunzipSync(body)).toEqual(plain.body);
    expect(Number(headers["content-length"])).toBe(body.length);
    expect(headers.etag).toBe(plain.headers.etag);
    const head = await get(path, encoding, "HEAD");
    expect([head.headers["content-length"], head.body.length]).toEqual([String(body.length), 0]);
  }
  for (const encoding of ["", "identity", "br", "gzip;q=0", "gzip; q=0.000", "x-gzipped"]) {
    const { headers, body } = await get(path, encoding);
    expect([encoding, headers["content-encoding"]]).toEqual([encoding, undefined]);
    expect([body.equals(plain.body), Number(headers["content-length"])]).toEqual([
      true,
      plain.body.length,
    ]);
    expect(headers.vary).toBe("Accept-Encoding");
  }
});

test("a small answer is not compressed", async () => {
  for (const path of [await listOf(1), "/api/tours?slug=nope", "/api/nope", "/healthz"]) {
    const { headers, body } = await get(path, "gzip, br");
    expect([path, headers["content-encoding"]]).toEqual([path, undefined]);
    expect(Number(headers["content-length"])).toBe(body.length);
  }
});
