import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import {
  Form,
  isRouteErrorResponse,
  Link,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
  useLocation,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { useNonce } from "./components/nonce";
import { currentUser } from "./server/auth.server";
import { commitSession, getSession } from "./server/session.server";
import styles from "./styles/app.css";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

export const meta: MetaFunction = () => [{ title: "Tour Reviews" }];

export async function loader({ request }: LoaderFunctionArgs) {
  const session = await getSession(request);
  const notice = session.get("notice") ?? null;
  const user = await currentUser(request);
  // Reading a flash message takes it out of the session, which only counts once stored.
  const headers = notice ? { "Set-Cookie": await commitSession(session) } : undefined;
  return data(
    { user: user && { id: user.id, name: user.name || user.email }, notice },
    headers && { headers },
  );
}

/** The HTML document of every page, those of errors included. */
export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const { pathname, search } = useLocation();
  const root = useRouteLoaderData<typeof loader>("root");
  const here = pathname.startsWith("/log") ? "/" : pathname + search;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <Links />
      </head>
      <body>
        <a className="skip-link" href="#main">
          Skip to the content
        </a>
        <header className="site-header">
          <div className="page-width">
            <Link to="/" className="brand">
              Tour Reviews
            </Link>
            <nav aria-label="Account">
              {root?.user ? (
                <Form method="post" action="/logout" className="log-out">
                  <span>{root.user.name}</span>
                  <button className="link-button">Log out</button>
                </Form>
              ) : (
                <Link to={`/login?redirectTo=${encodeURIComponent(here)}`}>Log in</Link>
              )}
            </nav>
          </div>
        </header>
        <main id="main" className="page-width" tabIndex={-1}>
          {root?.notice && (
            <p className="notice" role="status">
              {root.notice}
            </p>
          )}
          {children}
        </main>
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  useLoaderData<typeof loader>();
  return <Outlet />;
}

const ERRORS: Record<number, { title: string; text: string }> = {
  400: { title: "That request cannot be read", text: "Please go back and try again." },
  403: {
    title: "That is not allowed",
    text: "The request came from another site, or it is not yours to make.",
  },
  404: { title: "There is nothing here", text: "The page may have moved, or never was." },
  405: { title: "That cannot be done here", text: "Please go back and try again." },
  413: { title: "That is too much at once", text: "Please shorten it and send it again." },
};

export function ErrorBoundary() {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const known = ERRORS[status] ?? {
    title: "Something went wrong on our side",
    text: "Please try again in a moment.",
  };
  return (
    <>
      <title>{`${known.title} · Tour Reviews`}</title>
      <h1>{known.title}</h1>
      <p>{known.text}</p>
      <p>
        <Link to="/">All tours</Link>
      </p>
    </>
  );
}
