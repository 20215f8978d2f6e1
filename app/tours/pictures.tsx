import { Link } from "@remix-run/react";
import { tourPicturePath } from "~/ui/paths";
import { Picture } from "~/ui/picture";
import { opensElsewhere } from "~/ui/browser/share";
import { openPictures } from "./picture-viewer";
import type { ShownPicture } from "./pictures.server";

interface CoverProps {
  tour: { cover: string; picture: ShownPicture | null };
  /** Its place in a list, from 0 on: the first ones, often the largest that are in view, wait for no layout. */
  place: number;
}

/** Cards side by side on a wide screen. */
const CARDS_BESIDE = 3;

/** A tour's picture over a drawing that tells what it is about (docs/rules/tours.md, Tours). */
export function Cover({ tour: { cover, picture }, place }: CoverProps) {
  return (
    <span className="cover">
      <Drawing cover={cover} loading={place < CARDS_BESIDE ? "eager" : "lazy"} />
      {picture && (
        <Picture
          src={picture.src}
          srcSet={picture.srcSet}
          sizes="(min-width: 40rem) 22rem, 100vw"
          width={640}
          height={360}
          loading={place === 0 ? "eager" : "lazy"}
        />
      )}
    </span>
  );
}

const Drawing = ({ cover, loading }: { cover: string; loading?: "eager" | "lazy" }) => (
  <img
    src={`/covers/${cover}.svg`}
    alt=""
    width={320}
    height={180}
    loading={loading}
    decoding="async"
  />
);

/** Placeholder for a tour without a picture. */
export const DrawnCover = ({ cover }: { cover: string }) => (
  <div className="hero">
    <span className="cover">
      <Drawing cover={cover} />
    </span>
  </div>
);

/** Pictures side by side on a wide screen. */
const SEEN = 5;

interface Props {
  tour: { slug: string; title: string; cover: string };
  pictures: ShownPicture[];
}

/**
 * A tour's pictures: on a phone one at a time, to be swiped, elsewhere the first five. Each leads to its page; where
 * scripts run, it opens here.
 */
export function Pictures({ tour, pictures }: Props) {
  const count = pictures.length;
  return (
    <section aria-label="Pictures">
      <ul className={`pictures pictures-${Math.min(count, SEEN)}`}>
        {pictures.map(({ src, srcSet, alt }, index) => (
          <li key={index}>
            <Link
              to={tourPicturePath(tour.slug, index + 1)}
              rel="nofollow"
              data-picture=""
              data-caption={alt}
              onClick={(event) => {
                if (opensElsewhere(event)) return;
                event.preventDefault();
                openPictures(event.currentTarget);
              }}
            >
              <span className="cover">
                {index === 0 && <Drawing cover={tour.cover} />}
                <Picture
                  src={src}
                  srcSet={srcSet}
                  sizes={`(min-width: 40rem) ${index > 0 ? 18 : count === 1 ? 70 : 35}rem, 100vw`}
                  alt={alt || `Picture ${index + 1}`}
                  width={640}
                  height={360}
                  loading={index === 0 ? "eager" : "lazy"}
                />
              </span>
              {count > 1 && <span className="picture-number">{`${index + 1} of ${count}`}</span>}
              {index === SEEN - 1 && count > SEEN && (
                <span className="picture-more">{`All ${count} pictures`}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
