import { Link, useLoaderData } from "@remix-run/react";
import { Figures } from "~/moderation/figures/figures";
import { Rules } from "~/moderation/figures/rules";
import { publicMeta } from "~/ui/meta.server";
import { env } from "~/config/env.server";
import { getFigures } from "~/moderation/figures/figures.server";

export async function loader() {
  const { appUrl, bookingCompletion, contact, loginUrl, reviewRequests: asking } = env();
  const meta = publicMeta({
    title: "How reviews are checked",
    description:
      "The rules for reviews and replies: the meaning of “Verified booking”, the content that is not allowed, reports and appeals.",
    url: `${appUrl}/about/reviews`,
  });
  const figures = await getFigures();
  const completedHere = bookingCompletion === "automatic";
  return { meta, contact, figures, completedHere, asking, ...(loginUrl && { byPlatform: true }) };
}

export { loadedMeta as meta } from "~/ui/site";

export const handle = { hydrate: false };

export default function AboutReviews() {
  const {
    completedHere,
    contact,
    figures,
    asking,
    byPlatform = false,
  } = useLoaderData<typeof loader>();
  return (
    <div className="narrow stack-l">
      <div className="stack">
        <h1>How reviews are checked</h1>
        <p className="lead">
          These rules say how we make sure that reviews come from people who were there, what we
          remove, and what we leave alone.
        </p>
      </div>
      <Rules
        completedHere={completedHere}
        contact={contact}
        asking={asking}
        byPlatform={byPlatform}
        figures={<Figures figures={figures} />}
      />
      <p>
        <Link to="/">See all tours</Link>
      </p>
    </div>
  );
}
