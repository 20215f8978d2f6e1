import { Link } from "@remix-run/react";
import { tourPath, tourPicturePath } from "~/ui/paths";
import { TourLink } from "~/ui/tour-link";
import type { getTourPicture } from "./picture-page.server";
import type { ShownPicture } from "./pictures.server";

type Props = Awaited<ReturnType<typeof getTourPicture>>;

/** One picture of a tour, where no script opens it on the tour's page. */
export function PicturePage({ tour, picture, number, count, heading }: Props) {
  return (
    <div className="stack picture-page">
      <p className="muted">
        <TourLink {...tour} />
      </p>
      <h1>{heading}</h1>
      {picture && <PictureWithWords picture={picture} number={number} />}
      <nav className="chips no-print" aria-label="Pictures">
        {number > 1 && (
          <Link to={tourPicturePath(tour.slug, number - 1)} rel="prev">
            Previous
          </Link>
        )}
        {number < count && (
          <Link to={tourPicturePath(tour.slug, number + 1)} rel="next">
            Next
          </Link>
        )}
      </nav>
      <p>
        <Link to={tourPath(tour.slug)}>Back to the tour</Link>
      </p>
    </div>
  );
}

/** A picture as large as there is room, and below it what it shows. */
function PictureWithWords({ picture, number }: { picture: ShownPicture; number: number }) {
  const { src, srcSet, alt } = picture;
  return (
    <figure>
      <img
        src={src}
        srcSet={srcSet}
        sizes="100vw"
        alt={alt || `Picture ${number}`}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
      />
      {/* The picture has said it. */}
      {alt && (
        <figcaption dir="auto" aria-hidden="true">
          {alt}
        </figcaption>
      )}
    </figure>
  );
}
