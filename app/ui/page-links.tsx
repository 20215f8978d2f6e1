import { Link, useSearchParams } from "@remix-run/react";

interface Props {
  page: number;
  pages: number;
  label?: string;
  to: (page: number) => string;
}

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
          {other - (around[index - 1] ?? other) > 1 && <span aria-hidden="true">…</span>}
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

interface CursorProps {
  /** The search parameter that holds the cursor; the others stay as they are. */
  param: string;
  /** The cursor of the next page; null on the last one. */
  next: string | null;
  /** The id of the list's heading, where the page is opened. */
  hash: string;
  newest: string;
  older: string;
}

/** Links to the first and the next page of a list that is paged by a cursor. */
export function CursorLinks({ param, next, hash, newest, older }: CursorProps) {
  const [search] = useSearchParams();
  const to = (cursor: string | null) => {
    const changed = new URLSearchParams(search);
    if (cursor) changed.set(param, cursor);
    else changed.delete(param);
    return { search: changed.toString(), hash };
  };
  const isFirst = !search.has(param);
  if (isFirst && !next) return null;
  return (
    <p className="row no-print">
      {!isFirst && (
        <Link to={to(null)} className="button button-quiet button-small">
          {newest}
        </Link>
      )}
      {next && (
        <Link to={to(next)} rel="next" className="button button-quiet button-small">
          {older}
        </Link>
      )}
    </p>
  );
}
