import type { ImgHTMLAttributes } from "react";

/** Whether pages show the picture at that address: every reader's browser can load it, encrypted. */
export function isPicture(address: string | null): address is string {
  if (address === null || !/^https:\/\/[^/]/i.test(address)) return false;
  try {
    return Boolean(new URL(address));
  } catch {
    return false;
  }
}

interface Props extends ImgHTMLAttributes<HTMLImageElement> {
  src: string;
  /** Its width and height in CSS pixels, for the browser to keep the room. */
  width: number;
  height: number;
}

/** A picture over its replacement, which shows when it does not load, also without scripts. Its parent is positioned. */
export function Picture({ alt = "", ...attributes }: Props) {
  return (
    <img
      {...attributes}
      className="picture"
      alt={alt}
      decoding="async"
      referrerPolicy="no-referrer"
    />
  );
}
