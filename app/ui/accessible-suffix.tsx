/**
 * Tells a link or a button from others with the same words, for screen readers, by what it is about: somebody's name or
 * a title.
 */
export const AccessibleSuffix = ({
  words,
  name,
  title,
}: { words: string } & ({ name: string; title?: never } | { title: string; name?: never })) => (
  <span className="visually-hidden">
    <span>{words}</span>
    {name === undefined ? <bdi>{title}</bdi> : <bdi translate="no">{name}</bdi>}
  </span>
);
