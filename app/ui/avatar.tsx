import { firstCharacters } from "~/lib/text";
import { isPicture, Picture } from "./picture";

interface Props {
  name: string;
  image: string | null;
  small?: boolean;
}

const TINTS = 5;

/** Hidden from screen readers, as the name is beside it. */
export function Avatar({ name, image, small }: Props) {
  const size = small ? 28 : 44;
  let sum = 0;
  for (const character of name) sum += character.codePointAt(0) ?? 0;
  return (
    <span
      className={`avatar${small ? " avatar-small" : ""} tint-${sum % TINTS}`}
      aria-hidden="true"
      translate="no"
    >
      {/* A browser may know another version of Unicode, and cut another letter. */}
      <span suppressHydrationWarning>{initials(name)}</span>
      {isPicture(image) && <Picture src={image} width={size} height={size} loading="lazy" />}
    </span>
  );
}

/** The first characters of the first and the last word, without the punctuation before them. */
export function initials(name: string): string {
  const words = name.match(/[^\s\p{P}]\S*/gu) ?? [];
  const ends = words.filter((_, n) => n === 0 || n === words.length - 1);
  return ends.map((word) => firstCharacters(word, 1).toUpperCase()).join("");
}
