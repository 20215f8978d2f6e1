// A platform beside a site of Tour Reviews (docs/adopt.md).
import { createHmac } from "node:crypto";
import { createServer } from "node:http";

const REVIEWS = "http://localhost:3000";
const PORT = 4000;
const { LOGIN_SECRET, SERVICE } = process.env;

// The platform's data, with its own ids.
const guide = { id: "user-1", name: "Gwen", email: "gwen@lagoon.example" };
const ann = { id: "user-2", name: "Ann", email: "ann@lagoon.example" };
const tour = { id: "550e8400-e29b-41d4-a716-446655440000", slug: "salt-pans-by-boat" };
const booking = { id: "2026-4711", userId: ann.id, tourId: tour.id };

// 1. Records go to the reviews as they change; the same again changes nothing.
async function store(method, path, record) {
  const answer = await fetch(`${REVIEWS}/api/${path}`, {
    method,
    headers: { Authorization: `Bearer ${SERVICE}` },
    body: JSON.stringify(record),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
}
for (const { id, ...user } of [guide, ann]) await store("PUT", `users/${id}`, user);
await store("PUT", `tours/${tour.id}`, {
  title: "Salt pans by boat",
  slug: tour.slug,
  createdById: guide.id,
  description: "Three hours among herons, with a break on the dyke.",
  price: 45,
  currency: "EUR",
});

// 2. A user is handed over by a token that only both sides can sign.
function tokenFor({ id, ...user }, nonce) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { aud: REVIEWS, sub: id, ...user, nonce, exp: Math.floor(Date.now() / 1000) + 60 };
  const content = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${content}.${createHmac("sha256", LOGIN_SECRET).update(content).digest("base64url")}`;
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function logInPage(query) {
  const fields = ["nonce", "return"].map(
    (name) => `<input type="hidden" name="${name}" value="${escaped(query.get(name) ?? "")}">`,
  );
  return `<h1>Log in to Lagoon Tours</h1>
<form method="post">${fields.join("")}<button>Log in as Ann</button></form>`;
}

// 3. The tour's page shows the reviews; the frame says how high it is.
const tourPage = `<h1>Salt pans by boat</h1>
<p><a href="${REVIEWS}/tours/${tour.slug}"><img src="${REVIEWS}/tours/${tour.slug}/badge.svg" alt="Reviews"></a></p>
<form method="post" action="/book"><button>Book and take part</button></form>
<p><a href="${REVIEWS}/tours/${tour.slug}#write">Review this tour</a></p>
<iframe src="${REVIEWS}/embed/tours/${tour.slug}" title="Reviews" width="600" height="500"></iframe>
<script>
addEventListener("message", ({ origin, data }) => {
  if (origin === "${REVIEWS}" && data.type === "tour-reviews-height")
    document.querySelector("iframe").height = data.height;
});
</script>`;

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, `http://localhost:${PORT}`);
  let body = "";
  for await (const part of request) body += part;
  const form = new URLSearchParams(body);
  const redirect = (to) => response.writeHead(303, { Location: to }).end();
  const show = (content) =>
    response
      .writeHead(200, { "Content-Type": "text/html; charset=utf-8" })
      .end(`<!DOCTYPE html><html lang="en"><title>Lagoon Tours</title>${content}`);

  if (pathname === "/log-in" && request.method === "POST") {
    // Tokens go to the reviews alone, whoever wrote the link.
    const back = form.get("return") ?? "";
    if (!back.startsWith(`${REVIEWS}/`)) return response.writeHead(400).end();
    return redirect(`${back}?token=${tokenFor(ann, form.get("nonce"))}`);
  }
  if (pathname === "/log-in") return show(logInPage(searchParams));
  if (pathname === "/book") {
    // 4. Whoever took part may review: here at once, with you on the day after the tour.
    const { id, ...record } = booking;
    await store("PUT", `bookings/${id}`, { ...record, status: "CONFIRMED" });
    await store("PATCH", `bookings/${id}`, { status: "COMPLETED" });
    return redirect("/");
  }
  show(tourPage);
}).listen(PORT, "localhost");
