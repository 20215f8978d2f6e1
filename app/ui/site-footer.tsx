import { Link } from "@remix-run/react";

/** Null where nothing was said. */
export interface SiteOperator {
  contactUrl: string | null;
  privacyUrl: string | null;
}

export function SiteFooter({ operator }: { operator: SiteOperator | null }) {
  return (
    <footer className="site-footer">
      <div className="page-width row spread">
        <span>The author of every review with “Verified booking” had a completed booking.</span>
        <nav aria-label="About this site" className="row">
          <Link to="/about/reviews">How reviews are checked</Link>
          {operator?.contactUrl && <a href={operator.contactUrl}>Contact</a>}
          {operator?.privacyUrl && <a href={operator.privacyUrl}>Privacy</a>}
          <Link to="/api">API</Link>
        </nav>
      </div>
    </footer>
  );
}
