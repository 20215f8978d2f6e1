import { Picture } from "./picture";

interface Props {
  name: string;
  image: string | null;
  small?: boolean;
}

const TINTS = 5;

/** A person's picture over their initials; hidden from screen readers, as the name is beside it. */
export function Avatar({ name, image, small }: Props) {
  const size = small ? 28 : 44;
  let sum = 0;
  for (const character of name) sum += character.codePointAt(0)!;
  return (
    <span
      className={`avatar${small ? " avatar-small" : ""} tint-${sum % TINTS}`}
      aria-hidden="true"
    >
      {initials(name)}
      <Picture address={image} width={size} height={size} />
    </span>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return letters.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("");
}
