import type { ShownPicture } from "./pictures.server";

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
