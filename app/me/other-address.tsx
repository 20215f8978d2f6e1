import { Link } from "@remix-run/react";
import { useByPlatform } from "~/ui/browser/by-platform";
import { ACCOUNT_PATH, RESET_PATH } from "~/ui/paths";

export function OtherAddress({ email }: { email: string }) {
  return (
    <section className="card stack" aria-labelledby="other-address">
      <h2 id="other-address">Booked with another address?</h2>
      <p>
        {"This page shows the bookings of your account, which has the address "}
        <strong>
          <bdi translate="no">{email}</bdi>
        </strong>
        . If you booked a tour with another address, log out, and log in with that one.
      </p>
      {!useByPlatform() && (
        <>
          <p>
            No password for it yet? <Link to={RESET_PATH}>Set one by e-mail</Link>
          </p>
          <p>
            Does your account have the wrong address?{" "}
            <Link to={`${ACCOUNT_PATH}#address`}>Change it</Link>
          </p>
        </>
      )}
    </section>
  );
}
