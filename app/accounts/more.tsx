import { Link } from "@remix-run/react";
import { useByPlatform } from "~/ui/browser/by-platform";
import { ACCOUNT_PATH, SESSIONS_PATH } from "~/ui/paths";

export function MoreOfAccount() {
  const byPlatform = useByPlatform();
  return (
    <>
      <section className="card stack" aria-labelledby="sessions">
        <h2 id="sessions">Your devices</h2>
        <p>
          See which browsers are signed in to your account, since when, and when each was last used.
        </p>
        <p>
          <Link to={SESSIONS_PATH} className="button button-quiet">
            See your devices
          </Link>
        </p>
      </section>
      <section className="card stack" aria-labelledby="data">
        <h2 id="data">My data</h2>
        <p>Everything that this site stores about you, in one file.</p>
        <p>
          <a href="/me/data.json" download className="button button-quiet">
            Download my data
          </a>
        </p>
      </section>
      <section className="card stack" aria-labelledby="delete">
        <h2 id="delete">Delete my account</h2>
        <p>
          {byPlatform
            ? "This also deletes your reviews. The next page lists what else is deleted."
            : "This also deletes your reviews. The next page lists what else is deleted, and asks for your password."}
        </p>
        <p>
          <Link to={`${ACCOUNT_PATH}/delete`} className="button button-danger">
            Delete my account
          </Link>
        </p>
      </section>
    </>
  );
}
