interface Props {
  name: string;
  image: string | null;
  small?: boolean;
}

const TINTS = 5;

/** A person's picture, or their initials; hidden from screen readers, as the name is beside it. */
export function Avatar({ name, image, small }: Props) {
  const size = small ? 28 : 44;
  const className = `avatar${small ? " avatar-small" : ""}`;
  if (image)
    return (
      <img
        className={className}
        src={image}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
      />
    );
  let sum = 0;
  for (const character of name) sum += character.codePointAt(0)!;
  return (
    <span className={`${className} tint-${sum % TINTS}`} aria-hidden="true">
      {initials(name)}
    </span>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return letters.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("");
}
