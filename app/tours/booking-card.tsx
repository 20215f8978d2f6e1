import { useLocation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Time } from "~/ui/time";
import type { DeparturesToCome } from "./departures.server";
import type { TourPage } from "./tours.server";

interface Props {
  tour: TourPage;
  departed: boolean;
  toCome: DeparturesToCome;
}

/** Whether anything is known that a traveller needs to book. */
export const isBookable = ({ tour: { price, bookingUrl, departure, isClosed } }: Props) =>
  !isClosed && (price !== null || bookingUrl !== null || departure !== null);

/**
 * Price, next departure and the page's one primary action, which names the site that it leads to: beside the text on a
 * desktop, at the lower edge of a phone, where it goes while the form for a review is in view.
 */
export function BookingCard({ tour, departed, toCome }: Props) {
  const { price, bookingUrl, timeZone } = tour;
  const isAway = useInView("review-form");
  const [next] = toCome.next;
  return (
    <aside className={isAway ? "booking booking-away" : "booking"} aria-label="Price and dates">
      <p className="booking-facts">
        {price && <strong className="price">{price.words}</strong>}
        {next ? (
          <span key="next">
            <span>Next:</span> <Time at={next.at} zone={timeZone} form="short" />
          </span>
        ) : (
          departed && <span key="none">No dates at present</span>
        )}
      </p>
      {bookingUrl && (
        <p className="booking-link no-print">
          <a className="button" href={bookingUrl} rel="external noopener">
            <span>{departed ? "Look for new dates" : "See dates and book"}</span>
            {next && (
              <span className="visually-hidden">
                {" from "}
                <Time at={next.at} zone={timeZone} form="day" />
              </span>
            )}
          </a>
          <span className="muted small">
            on <bdi translate="no">{new URL(bookingUrl).host}</bdi>
          </span>
        </p>
      )}
    </aside>
  );
}

/** Whether the element of that id is in view; false without scripts and without such an element. */
function useInView(id: string): boolean {
  const [isInView, setInView] = useState(false);
  // With each navigation, because it may come or go.
  const { key } = useLocation();
  useEffect(() => {
    const element = document.getElementById(id);
    if (!element) return;
    const watched = new IntersectionObserver(([entry]) =>
      setInView(entry?.isIntersecting ?? false),
    );
    watched.observe(element);
    return () => {
      watched.disconnect();
      setInView(false);
    };
  }, [id, key]);
  return isInView;
}
