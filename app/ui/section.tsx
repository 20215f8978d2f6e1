import type { ReactElement } from "react";

interface Props {
  /** The heading's, which names the section. */
  id: string;
  title: string;
  level?: 2 | 3;
  className?: string;
  children: ReactElement | (ReactElement | ReactElement[] | false | null | undefined)[];
}

/** A part of a page under a heading. */
export function Section({ id, title, level = 2, className = "stack", children }: Props) {
  const Heading = `h${level}` as const;
  return (
    <section className={className} aria-labelledby={id}>
      <Heading id={id}>{title}</Heading>
      {children}
    </section>
  );
}
