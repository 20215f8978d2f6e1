import { Link } from "@remix-run/react";

export interface MenuOption {
  name: string;
  /** Written behind the name. */
  count?: number | undefined;
  to: string;
  isChosen: boolean;
}

interface Props {
  /** For screen readers, what is chosen. */
  label: string;
  /** The label of the selected entry. */
  chosen: string;
  /** Whether that is another choice than the first page's. */
  isOn: boolean;
  options: MenuOption[];
}

/** A choice of links behind a button that says which one is chosen; scripts close it (app/ui/browser/menus.ts). */
export function Menu({ label, chosen, isOn, options }: Props) {
  return (
    <details className="menu">
      <summary data-on={isOn || undefined}>
        <span className="visually-hidden">{`${label}: `}</span>
        <span>{chosen}</span>
        <svg viewBox="0 0 12 8" aria-hidden="true">
          <path d="m1.5 1.5 4.5 4.5 4.5-4.5" />
        </svg>
      </summary>
      <ul className="plain-list">
        {options.map(({ name, count, to, isChosen }) => (
          <li key={name}>
            <Link to={to} aria-current={isChosen ? "true" : undefined}>
              <span>{name}</span>
              {count !== undefined && (
                <span className="muted">{count.toLocaleString("en-GB")}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
