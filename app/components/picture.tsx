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
 * A decorative picture over its replacement, which stays visible when there is no picture or it
 * does not load: an `img` without an alternative text shows nothing then, also without scripts. Its
 * parent is positioned.
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
