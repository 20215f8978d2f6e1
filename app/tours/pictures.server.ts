import { isKept, PICTURE_WIDTHS, type TourPicture } from "#models/picture";
import { asName } from "#models/reading";
import type { TourDocument } from "#models/tour";
import { isPicture } from "~/ui/picture";

export interface ShownPicture {
  /** The address of the largest size. */
  src: string;
  srcSet?: string;
  alt: string;
}

const keptPictureAddress = (url: string, width: number) => `${url}-${width}.webp`;

function toShownPicture({ url, alt }: TourPicture): ShownPicture {
  const words = asName(alt)?.trim() ?? "";
  if (!isKept(url)) return { src: url, alt: words };
  return {
    src: keptPictureAddress(url, Math.max(...PICTURE_WIDTHS)),
    srcSet: PICTURE_WIDTHS.map((width) => `${keptPictureAddress(url, width)} ${width}w`).join(", "),
    alt: words,
  };
}

/** A tour's pictures; without any its `image`, which has no words. */
export function toShownPictures({ images, image }: Pick<TourDocument, "images" | "image">) {
  const pictures = images.map((one) =>
    toShownPicture(typeof one === "string" ? { url: one } : one),
  );
  if (pictures.length === 0 && isPicture(image)) return [{ src: image, alt: "" }];
  return pictures;
}
