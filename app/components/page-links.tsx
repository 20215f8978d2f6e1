import { Link } from "@remix-run/react";

interface Props {
  page: number;
  pages: number;
  /** What the pages are of, for screen readers. */
  label?: string;
  /** The address of a page, by its number from 1. */
  to: (page: number) => string;
}

/** Links to the previous and next page, the first and last one, and those near the current one. */
export function PageLinks({ page, pages, label = "Pages", to }: Props) {
  if (pages === 1) return null;
  const around = Array.from({ length: pages }, (_, index) => index + 1).filter(
    (other) => other === 1 || other === pages || Math.abs(other - page) <= 2,
  );
  return (
    <nav aria-label={label} className="chips">
      {page > 1 && (
        <Link to={to(page - 1)} rel="prev">
          Previous
        </Link>
      )}
      {around.map((other, index) => (
        <span key={other} className="row">
          {index > 0 && other - around[index - 1]! > 1 && <span aria-hidden="true">…</span>}
          <Link
            to={to(other)}
            aria-label={`Page ${other}`}
            aria-current={other === page ? "page" : undefined}
          >
            {other}
          </Link>
        </span>
      ))}
      {page < pages && (
        <Link to={to(page + 1)} rel="next">
          Next
        </Link>
      )}
    </nav>
  );
}
