import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import {
  isRouteErrorResponse,
  Link,
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigation,
  useRouteError,
  useRouteLoaderData,
  type ShouldRevalidateFunction,
} from "@remix-run/react";
import sansFont from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2";
import serifFont from "@fontsource/fraunces/files/fraunces-latin-600-normal.woff2";
import { type ReactElement, useState } from "react";
import { Document, Metadata } from "~/ui/document";
import { useErrorTitle } from "~/ui/browser/error-title";
import { useServersPageInstead } from "~/ui/browser/first-page";
import { Notice, useFocusOnArrival } from "~/ui/browser/moving";
import { usePageRequest } from "~/ui/browser/page-request";
import { SearchForm } from "~/tours/search/search-form";
import { SiteFooter } from "~/ui/site-footer";
import { DEAD_LINK, site, titled } from "~/ui/site";
import { SiteHeader } from "~/ui/site-header";
import {
  countToursToReview,
  countWaitingCases,
  currentUser,
  env,
  leadsTours,
  takeFlash,
} from "~/server/for-routes.server";
import styles from "~/ui/styles/app.css";

export { headers } from "~/server/for-routes.server";

const font = (href: string) =>
  ({ rel: "preload", as: "font", type: "font/woff2", href, crossOrigin: "anonymous" }) as const;

const OWN_ICONS = [
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
];

export const links: LinksFunction = () => [
  font(sansFont),
  font(serifFont),
  { rel: "stylesheet", href: styles },
  ...(site.icon ? [{ rel: "icon", href: site.icon }] : OWN_ICONS),
];

export const meta: MetaFunction = ({ error }) => [
  error ? titled(describeError(error).title) : { title: site.name },
];

export async function loader({ request }: LoaderFunctionArgs) {
  const notice = await takeFlash(request, "notice");
  const user = await currentUser(request);
  const [isGuide, waiting, reports] = user
    ? await Promise.all([leadsTours(user.id), countToursToReview(user), countWaitingCases(user)])
    : [false, 0, null];
  return {
    user: user && {
      id: user.id,
      name: user.name || user.email || "you",
      image: user.image,
      isGuide,
      waiting,
      reports,
    },
    notice,
    timeZone: env().timeZone,
    ...(env().loginUrl && { byPlatform: true }),
    operator: { contactUrl: env().contactUrl ?? null, privacyUrl: env().privacyUrl ?? null },
  };
}

/**
 * Loads the frame again after every form but a refused one, as Remix does by default, and after a 401: the session has
 * ended, and the frame must show nobody.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus = 200 }) =>
  actionStatus < 400 || actionStatus === 401;

export function Layout({ children }: { children: ReactElement }) {
  const root = useRouteLoaderData<typeof loader>("root");
  useFocusOnArrival();
  const isBusy = useNavigation().state !== "idle";
  const { scripts } = usePageRequest();
  const page = (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <SiteHeader user={root?.user ?? null} />
      <main id="main" className="page-width" tabIndex={-1} aria-busy={isBusy || undefined}>
        <Notice data={root} />
        {children}
      </main>
      <SiteFooter operator={root?.operator ?? null} />
      {isBusy && <div className="progress" aria-hidden="true" />}
      {!scripts && <ScrollRestoration />}
    </>
  );
  if (typeof document === "undefined") return <Document>{page}</Document>;
  return (
    <>
      <Metadata />
      {page}
    </>
  );
}

export default function App() {
  return <Outlet />;
}

/** The status of a request without an answer, as `XMLHttpRequest` has it. */
const UNANSWERED = 0;

const ERRORS: Record<number, { title: string; text: string }> = {
  [UNANSWERED]: { title: "We got no answer", text: "Please check your connection and try again." },
  400: { title: "The request could not be read", text: "Please go back and try again." },
  403: {
    title: "You can’t do that here",
    text: "You may have been logged out, or the form came from another site.",
  },
  404: { title: "Page not found", text: "We can’t find that page. It may have been deleted." },
  405: { title: "This page does not accept that request", text: "Please go back and try again." },
  413: { title: "The request is too large", text: "Please shorten your text and send it again." },
  429: { title: "Too many requests", text: "Please wait a minute and try again." },
  503: { title: "The site is not available right now", text: "Please try again in a moment." },
};

function errorStatus(error: unknown): number {
  if (isRouteErrorResponse(error)) return error.status;
  // So browsers report a request without an answer, each in words of its own.
  const isUnanswered = error instanceof TypeError && /fetch|load|network/i.test(error.message);
  return isUnanswered ? UNANSWERED : 500;
}

/** The status decides the title, the text of a thrown response comes below. */
function describeError(error: unknown) {
  const status = errorStatus(error);
  const known = ERRORS[status] ?? {
    title: "Something went wrong on our side",
    text: "Please try again in a moment.",
  };
  const isTold = status < 500 || status === 503;
  const said: unknown = isRouteErrorResponse(error) && isTold ? error.data : null;
  // The page of a link in an e-mail has no other name.
  const isDeadLink = isRouteErrorResponse(error) && error.statusText === DEAD_LINK;
  const title = isDeadLink ? DEAD_LINK : known.title;
  return { status, isDeadLink, title, text: typeof said === "string" && said ? said : known.text };
}

const QUOTED = "quoted-id";

/** Only the server knows the id; the browser keeps the words that the server has sent. */
function useQuotedId(): string {
  const { requestId } = usePageRequest();
  const [words] = useState(() =>
    typeof document === "undefined"
      ? `If this keeps happening, quote this ID: ${requestId}`
      : (document.getElementById(QUOTED)?.textContent ?? ""),
  );
  return words;
}

export function ErrorBoundary() {
  const { status, isDeadLink, title, text } = describeError(useRouteError());
  const quoted = useQuotedId();
  const place = useLocation();
  useErrorTitle(true);
  useServersPageInstead();
  const canRetry = status === UNANSWERED || status === 503;
  return (
    <div className="narrow stack">
      {status !== UNANSWERED && !isDeadLink && <p className="muted">{`Error ${status}`}</p>}
      <h1>{title}</h1>
      <p className="lead">{text}</p>
      {status >= 500 && quoted && (
        <p className="muted" id={QUOTED}>
          {quoted}
        </p>
      )}
      {status === 404 && !isDeadLink && <SearchForm words="" />}
      <p className="row">
        {canRetry && (
          <Link
            to={place}
            reloadDocument
            className="button"
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              // A link to an address with a fragment that is shown already would load nothing by itself.
              event.preventDefault();
              window.location.reload();
            }}
          >
            Try again
          </Link>
        )}
        <Link to="/" className={canRetry || status === 404 ? "button button-quiet" : "button"}>
          See all tours
        </Link>
      </p>
    </div>
  );
}
