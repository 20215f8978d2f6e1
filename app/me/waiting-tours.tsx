import { Link } from "@remix-run/react";
import type { comingBookings } from "~/me/coming-bookings.server";
import { useByPlatform } from "~/ui/browser/by-platform";
import { useHasDraft } from "~/ui/browser/drafts";
import { CursorLinks } from "~/ui/page-links";
import { ACCOUNT_PATH, RESET_PATH, tourPath } from "~/ui/paths";
import { Star, starsInWords } from "~/ui/stars";
import { Time } from "~/ui/time";
import { AccessibleSuffix } from "~/ui/accessible-suffix";
import { TourLink } from "~/ui/tour-link";
import { Section } from "~/ui/section";
import type { toursToReview } from "./my-reviews.server";

type ResultOf<List extends (...args: never[]) => unknown> = Awaited<ReturnType<List>>;

export function WaitingTours({ items, next }: ResultOf<typeof toursToReview>) {
  return (
    <Section id="waiting" title="Waiting for your review">
      <ul className="plain-list card">
        {items.map(({ slug, title, date, timeZone }) => (
          <li key={slug}>
            <div>
              <h3>
                <TourLink slug={slug} title={title} />
              </h3>
              {date && (
                <p className="muted small">
                  You took this tour on <Time at={date} zone={timeZone} form="departure" />
                </p>
              )}
            </div>
            <div className="row spread">
              <StarLinks slug={slug} title={title} />
              <WriteLink slug={slug} title={title} />
            </div>
          </li>
        ))}
      </ul>
      <CursorLinks
        param="waiting"
        next={next}
        hash="waiting"
        newest="Latest tours"
        older="Earlier tours"
      />
    </Section>
  );
}

interface TourProps {
  slug: string;
  title: string;
}

function WriteLink({ slug, title }: TourProps) {
  const hasDraft = useHasDraft(tourPath(slug));
  return (
    <Link to={`${tourPath(slug)}#write`} className="button button-quiet button-small">
      <span>{hasDraft ? "Continue your draft" : "Write a review"}</span>
      <AccessibleSuffix words=" of " title={title} />
    </Link>
  );
}

function StarLinks({ slug, title }: TourProps) {
  return (
    <span className="star-links">
      {[1, 2, 3, 4, 5].map((stars) => (
        <Link key={stars} to={`${tourPath(slug)}?rating=${stars}#write`}>
          <Star />
          <AccessibleSuffix words={`${starsInWords(stars)} for `} title={title} />
        </Link>
      ))}
    </span>
  );
}

export function Coming({ bookings }: { bookings: ResultOf<typeof comingBookings> }) {
  return (
    <Section id="coming" title="Coming up">
      <ul className="plain-list card">
        {bookings.map(({ slug, title, date, timeZone }) => (
          <li key={`${slug} ${date}`}>
            <h3>
              <TourLink slug={slug} title={title} />
            </h3>
            <p className="muted small">
              You are booked for <Time at={date} zone={timeZone} form="departure" />
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function OtherAddress({ email }: { email: string }) {
  return (
    <Section id="other-address" title="Booked with another address?" className="card stack">
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
    </Section>
  );
}
