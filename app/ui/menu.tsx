import { Link } from "@remix-run/react";
import { type FocusEvent, type KeyboardEvent, useRef } from "react";

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
  /** What is chosen. */
  chosen: string;
  /** Whether that is another choice than the first page's. */
  isOn: boolean;
  options: MenuOption[];
}

/** A choice of links behind a button that says which one is chosen; also without scripts. */
export function Menu({ label, chosen, isOn, options }: Props) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    menu.current!.open = false;
    menu.current!.querySelector("summary")!.focus();
  };
  return (
    <details
      ref={menu}
      className="menu"
      onKeyDown={({ key }: KeyboardEvent) => {
        if (key === "Escape" && menu.current!.open) close();
      }}
      onBlur={({ currentTarget, relatedTarget }: FocusEvent) => {
        // A press on what takes no focus has none.
        if (relatedTarget && !currentTarget.contains(relatedTarget)) menu.current!.open = false;
      }}
    >
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
            <Link
              to={to}
              aria-current={isChosen ? "true" : undefined}
              onClick={(event) => {
                if (!event.metaKey && !event.ctrlKey && !event.shiftKey) close();
              }}
            >
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
