import { Readable } from "node:stream";
import { createReadableStreamFromReadable } from "@remix-run/node";

/** No browser and no proxy keeps it. */
export const dataFile = (pieces: AsyncIterable<string>): Response =>
  new Response(createReadableStreamFromReadable(Readable.from(pieces)), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="tour-reviews.json"',
      "Cache-Control": "no-store",
    },
  });
