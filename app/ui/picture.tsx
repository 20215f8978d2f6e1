/** Whether pages show the picture at that address: every reader's browser can load it, encrypted. */
export const isPicture = (address: string | null): address is string =>
  address !== null && /^https:\/\/[^/]/i.test(address) && URL.canParse(address);

interface Props {
  address: string | null;
  /** Its width and height in CSS pixels, for the browser to keep the room. */
  width: number;
  height: number;
}

/**
 * A decorative picture over its replacement, which shows when the picture does not load, also without scripts: so it
 * has no alternative text. Its parent is positioned.
 */
export function Picture({ address, width, height }: Props) {
  if (!isPicture(address)) return null;
  return (
    <img
      className="picture"
      src={address}
      alt=""
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
    />
  );
}
