import { Picture } from "~/ui/picture";
import type { ShownPicture } from "./pictures.server";

interface Props {
  tour: { cover: string; picture: ShownPicture | null };
  /** At the head of the tour's page, where it is seen first. */
  hero?: boolean;
  /** The first of a list, often the largest that is in view: it waits for no layout. */
  first?: boolean;
}

/** A tour's picture over a drawing that tells what it is about (docs/rules/tours.md, Tours). */
export function Cover({ tour: { cover, picture }, hero = false, first = false }: Props) {
  return (
    <span className="cover">
      <img src={`/covers/${cover}.svg`} alt="" width={320} height={180} decoding="async" />
      {picture && (
        <Picture
          src={picture.src}
          srcSet={picture.srcSet}
          sizes={hero ? "(min-width: 48rem) 28rem, 100vw" : "(min-width: 40rem) 22rem, 100vw"}
          alt={hero ? picture.alt : ""}
          width={640}
          height={360}
          loading={hero || first ? "eager" : "lazy"}
        />
      )}
    </span>
  );
}

/** All but the first picture of a tour, each of which leads to its full size. */
export function Gallery({ pictures }: { pictures: ShownPicture[] }) {
  return (
    <ul className="gallery no-print">
      {pictures.map(({ src, srcSet, alt }, index) => (
        <li key={index}>
          <a href={src} rel="external noopener noreferrer">
            <img
              src={src}
              srcSet={srcSet}
              sizes="12rem"
              alt={alt || `Picture ${index + 2}`}
              width={240}
              height={160}
              loading="lazy"
              decoding="async"
              referrerPolicy="no-referrer"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}
