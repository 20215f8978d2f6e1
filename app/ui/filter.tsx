import { Link } from "@remix-run/react";

/** A filter that is on; its link takes it away. */
export function Filter({ name, without }: { name: string; without: string }) {
  return (
    <Link to={without} className="filter">
      <span className="visually-hidden">Remove filter: </span>
      <bdi>{name}</bdi>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="m4 4 8 8m0-8-8 8" stroke="currentColor" strokeWidth="2" />
      </svg>
    </Link>
  );
}
