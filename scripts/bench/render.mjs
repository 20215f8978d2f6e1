// @ts-check
// What the tour's page is measured against: React's `renderToString` of the same component tree with the same data,
// sent by `node:http`. The loaders of the built app provide the data once, at the start.
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { createRequestHandler } from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import mongoose from "mongoose";
import { createElement } from "react";
import { renderToString } from "react-dom/server";

const { MONGODB_URI = "", PORT = "", PAGE: url = "" } = process.env;

// The app starts its workers and its guard once per process; here it is told that it has already done so, because
// only its components and loaders are needed.
Object.assign(globalThis, { [Symbol.for("tour-reviews")]: { started: Promise.resolve() } });
const build = await import(pathToFileURL("build/index.js").href);

/** @type {any} */
let context;
const entry = {
  module: {
    ...build.entry.module,
    /** @param {Request} _request @param {number} status @param {Headers} headers @param {unknown} found */
    default: (_request, status, headers, found) => {
      context = found;
      return new Response(null, { status, headers });
    },
  },
};
await mongoose.connect(MONGODB_URI, { autoIndex: false, autoCreate: false, bufferCommands: false });
const { status } = await createRequestHandler({ ...build, entry }, "production")(new Request(url));
await mongoose.disconnect();
if (status !== 200) throw new Error(`The app's own answer to ${url} has the status ${status}`);

/** Remix keeps state of a rendering in the context, so each rendering gets its own. */
const freshContext = () => ({
  ...context,
  staticHandlerContext: { ...context.staticHandlerContext },
  // The data for the browser's scripts, which can be read only once.
  serverHandoffStream: undefined,
});

createServer((request, response) => {
  if (request.url === "/healthz") return void response.end();
  const html = renderToString(createElement(RemixServer, { context: freshContext(), url }));
  const bytes = Buffer.from(`<!DOCTYPE html>${html}`);
  response
    .writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Length": bytes.length })
    .end(bytes);
}).listen(Number(PORT), "127.0.0.1");
