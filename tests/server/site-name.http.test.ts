import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, call, startApp } from "../support/app";
import { databaseUri } from "../support/database";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { mailsTo } from "../support/mail";
import { useApp } from "../support/shared-app";

// A site with a name, a logo and a colour of its own.

useApp();

const LOGO = "https://img.example.test/logo.svg";
let site: App;
beforeAll(async () => {
  site = await startApp(databaseUri(), {
    SITE_NAME: "Höhenwege & <Söhne>",
    SITE_LOGO: LOGO,
    SITE_ACCENT: "#e60023",
  });
});
afterAll(() => site.stop());

const text = async (path: string) => (await call(site, "GET", path)).text;
const OURS = /Tour Reviews/;

test("its pages, frames, badges and e-mails carry them, and nothing has ours", async () => {
  const tour = await makeTour({ title: "Ridge walk" });
  const review = await makeReview(await makeUser(), tour, { comment: "High up" });
  const path = `/tours/${tour.slug}`;
  for (const page of ["/", path, `/reviews/${review._id.toString()}`, "/login", "/nothing"]) {
    const html = await text(page);
    expect(html).toMatch(/<title[^>]*>[^<]* · Höhenwege &amp; &lt;Söhne&gt;<\/title>/);
    expect(html).toContain(`<img src="${LOGO}" alt=""/>`);
    expect(html).toContain(`<link rel="icon" href="${LOGO}"/>`);
    expect(html).toContain("--accent:#");
    expect(html).not.toMatch(OURS);
  }
  expect(await text(path)).toContain(`<meta property="og:image" content="${LOGO}"/>`);
  expect(await text(`/embed${path}`)).toContain("All reviews on Höhenwege &amp; &lt;Söhne&gt;");
  expect(await text(`${path}/badge.svg`)).toContain(">Höhenwege &amp; &lt;Söhne&gt;</text>");
  const about = await text(`/oembed?url=${encodeURIComponent(site.url + path)}`);
  expect(JSON.parse(about)).toMatchObject({ provider_name: "Höhenwege & <Söhne>" });

  const email = "stranger@example.org";
  const raw = new URLSearchParams({ email });
  for (const form of ["/signup", "/reset"]) await call(site, "POST", form, { raw });
  const mails = await mailsTo(email);
  expect(mails).toHaveLength(2);
  for (const { html, text } of mails) {
    expect(html).toContain("Höhenwege &amp; &lt;Söhne&gt;");
    expect(text).toContain("Höhenwege & <Söhne>");
    expect(html + text).not.toMatch(OURS);
  }
});
