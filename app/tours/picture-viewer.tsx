import { useEffect, useRef, useState } from "react";
import type { ShownPicture } from "./pictures.server";

interface Props {
  title: string;
  pictures: ShownPicture[];
  /** The index of the one that it opens with. */
  first: number;
  onClose: () => void;
}

/** All pictures of a tour over its page: to be swiped, or moved through by buttons and arrow keys. */
export function PictureViewer({ title, pictures, first, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const strip = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(first);
  const count = pictures.length;
  const show = (index: number) => {
    strip.current!.scrollLeft = ((index + count) % count) * strip.current!.clientWidth;
  };
  useEffect(() => {
    // In React's strict mode, effects run twice.
    if (!dialog.current!.open) dialog.current!.showModal();
    show(first);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <dialog
      ref={dialog}
      className="viewer"
      aria-label={`Pictures of ${title}`}
      onClose={onClose}
      onKeyDown={({ key }) => {
        if (key === "ArrowLeft") show(at - 1);
        if (key === "ArrowRight") show(at + 1);
      }}
    >
      <div
        ref={strip}
        className="viewer-strip"
        role="group"
        aria-label="Pictures"
        // Otherwise, what scrolls is not reached by keyboard.
        tabIndex={0}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          setAt(Math.round(scrollLeft / clientWidth))
        }
      >
        {pictures.map((picture, index) => (
          <PictureWithWords key={index} picture={picture} number={index + 1} />
        ))}
      </div>
      <p className="viewer-place" role="status">{`${at + 1} of ${count}`}</p>
      <ViewerButton
        name="Close"
        sign="m6 6 12 12M18 6 6 18"
        press={() => dialog.current!.close()}
      />
      {count > 1 && (
        <>
          <ViewerButton name="Previous picture" sign="m15 5-7 7 7 7" press={() => show(at - 1)} />
          <ViewerButton name="Next picture" sign="m9 5 7 7-7 7" press={() => show(at + 1)} />
        </>
      )}
    </dialog>
  );
}

function ViewerButton(props: { name: string; sign: string; press: () => void }) {
  const { name, sign, press } = props;
  return (
    <button type="button" aria-label={name} onClick={press}>
      <svg viewBox="0 0 24 24" className="sign" aria-hidden="true">
        <path d={sign} />
      </svg>
    </button>
  );
}

/** A picture as large as there is room, and below it what it shows. */
export function PictureWithWords({ picture, number }: { picture: ShownPicture; number: number }) {
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
