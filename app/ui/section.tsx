import type { ReactElement } from "react";

interface Props {
  /** The heading's, which names the section. */
  id: string;
  title: string;
  className?: string;
  children: ReactElement | (ReactElement | ReactElement[] | false | null | undefined)[];
}

/** A part of a page under a heading of level 2. */
export function Section({ id, title, className = "stack", children }: Props) {
  return (
    <section className={className} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
