import { Form, Link, NavLink, useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { forgetDrafts } from "~/ui/browser/drafts";
import { useByPlatform } from "~/ui/browser/by-platform";
import { Avatar } from "./avatar";
import { OPERATOR_PATH } from "./paths";
import { Sign } from "./sign";
import { site } from "./site";

interface Visitor {
  name: string;
  image: string | null;
  isGuide: boolean;
  /** How many tours wait for their review. */
  waiting: number;
  /** How many reports wait for an operator; null for everybody else. */
  reports: number | null;
}

/** `user` is null for a visitor who is not logged in. */
export function SiteHeader({ user }: { user: Visitor | null }) {
  return (
    <header className="site-header">
      <div className="page-width">
        <Link to="/" className="brand">
          {site.logo ? <img src={site.logo} alt="" /> : <Sign />}
          <span translate="no">{site.name}</span>
        </Link>
        {user ? <UserNavigation user={user} /> : <GuestNavigation />}
      </div>
    </header>
  );
}

function GuestNavigation() {
  const { pathname, search } = useLocation();
  const byPlatform = useByPlatform();
  const asked = /^\/(login|signup|reset|logout|errors)/.test(pathname)
    ? search
    : `?from=${encodeURIComponent(pathname + search)}`;
  // There it has a token, which is no part of any link.
  const back = pathname.startsWith("/login/return") ? "" : asked;
  return (
    <nav className="site-nav" aria-label="Account">
      <NavLink to={`/login${back}`}>Log in</NavLink>
      {!byPlatform && <NavLink to={`/signup${back}`}>Sign up</NavLink>}
    </nav>
  );
}

/**
 * A popover opens without scripts and closes on Escape and on a click elsewhere; browsers without popovers show the
 * links.
 */
function UserNavigation({ user }: { user: Visitor }) {
  const { key } = useLocation();
  const menu = useRef<HTMLElement>(null);
  const openedAt = useRef(key);
  // A navigation of the scripts' leaves the menu as it is.
  useEffect(() => {
    if (openedAt.current !== key) menu.current?.hidePopover?.();
    openedAt.current = key;
  }, [key]);
  return (
    <>
      <button type="button" className="menu-button" popovertarget="menu">
        <Avatar name={user.name} image={user.image} small />
        <span>Menu</span>
        <Waiting count={user.waiting} />
      </button>
      <nav className="site-nav" id="menu" popover="" aria-label="Account" ref={menu}>
        {user.reports !== null && (
          <NavLink to={OPERATOR_PATH}>
            <span>Reports</span>
            <Waiting count={user.reports} most={99} />
          </NavLink>
        )}
        {user.isGuide && <NavLink to="/guide">Your tours</NavLink>}
        <NavLink to="/me" end>
          <span>Your reviews</span>
          <Waiting count={user.waiting} />
        </NavLink>
        <NavLink to="/me/account">
          <Avatar name={user.name} image={user.image} small />
          {user.name ? (
            <span>
              <span className="visually-hidden">Account of </span>
              <bdi translate="no">{user.name}</bdi>
            </span>
          ) : (
            <span>Your account</span>
          )}
        </NavLink>
        <Form method="post" action="/logout" onSubmit={forgetDrafts}>
          <button type="submit" className="link-button">
            Log out
          </button>
        </Form>
      </nav>
    </>
  );
}

function Waiting({ count, most = 9 }: { count: number; most?: number }) {
  if (count === 0) return null;
  return (
    <span className="badge">
      <span>{count > most ? `${most}+` : count}</span>
      <span className="visually-hidden"> waiting for you</span>
    </span>
  );
}
