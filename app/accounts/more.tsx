import { Link } from "@remix-run/react";
import { useByPlatform } from "~/ui/browser/by-platform";
import { ACCOUNT_PATH, SESSIONS_PATH } from "~/ui/paths";
import { Section } from "~/ui/section";

export const Devices = () => (
  <Section id="sessions" title="Your devices" level={3} className="card stack">
    <p>
      See which browsers are logged in to your account, since when, and when each was last used.
    </p>
    <p>
      <Link to={SESSIONS_PATH} className="button button-quiet">
        See your devices
      </Link>
    </p>
  </Section>
);

export function Data() {
  const byPlatform = useByPlatform();
  return (
    <>
      <Section id="download" title="Your data" level={3} className="card stack">
        <p>Everything that this site stores about you, in one file.</p>
        <p>
          <a href="/me/data.json" download className="button button-quiet">
            Download my data
          </a>
        </p>
      </Section>
      <Section id="delete" title="Delete my account" level={3} className="card stack">
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
      </Section>
    </>
  );
}
