import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/ui/forms";
import { readGuideQuery } from "~/guides/guide-address";
import { Departures, INTENTS, type Intent } from "~/guides/departures/departures";
import { Objections } from "~/guides/departures/objections";
import { JustCompleted, OpenDepartures } from "~/guides/departures/open-departures";
import { GuideFigures } from "~/guides/guide-figures";
import { RatedTours } from "~/guides/rated-tours";
import { Reviews } from "~/guides/guide-reviews";
import { guidePath } from "~/ui/paths";
import {
  env,
  redirectWithNotice,
  refusedForm,
  requireUser,
  formText,
} from "~/server/for-routes.server";
import {
  completeDeparture,
  completedNotice,
  undoCompletion,
  undoneNotice,
} from "~/guides/departures/completions.server";
import { guideOverview } from "~/guides/guide-overview.server";
import { noteVisit } from "~/guides/guide-visits.server";
import { titled } from "~/ui/site";

export { INTENTS };

export { headers } from "~/server/for-routes.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const { page, pages } = data?.tours ?? { page: 1, pages: 1 };
  const which = pages > 1 ? `, page ${page} of ${pages}` : "";
  return [
    titled(`Your tours${which}`),
    { name: "description", content: "Your tours: their departures, bookings and reviews." },
  ];
};

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const query = readGuideQuery(new URL(request.url).searchParams);
  const overview = await guideOverview(user, query);
  const newSince = overview.tours.items.length > 0 ? await noteVisit(user) : "";
  const completedHere = env().bookingCompletion === "automatic";
  const completions = completedHere ? overview.completions : [];
  const now = new Date().toISOString();
  return { ...overview, completions, now, newSince, completedHere, guideId: user.id };
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const form = await request.formData();
  const intent = INTENTS.find((name) => name === form.get("intent"));
  if (!intent) throw new Response(null, { status: 400 });
  const absent = form.getAll("absent").filter((id) => typeof id === "string");
  const departure = {
    tourId: formText(form, "tourId"),
    date: formText(form, "date") || null,
    absent,
  };
  const work: Record<Intent, () => Promise<string>> = {
    complete: async () => completedNotice(await completeDeparture(user, departure)),
    undo: async () => undoneNotice(await undoCompletion(user, formText(form, "completion"))),
  };
  try {
    return await redirectWithNotice(request, "/guide", await work[intent]());
  } catch (error) {
    return refusedForm(error, { absent });
  }
}

export default function Guide() {
  const { tours, departures, completedHere, completions, objections, now, ...shown } =
    useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const publicPage = guidePath(shown.guideId);
  return (
    <div className="stack-l">
      <div className="stack">
        <div className="row spread">
          <h1>Your tours</h1>
          <p className="row">
            {publicPage && tours.items.length > 0 && (
              <Link className="button button-quiet" to={publicPage}>
                Your public page
              </Link>
            )}
            <Link className="button button-quiet" to="/guide/mail">
              E-mail settings
            </Link>
          </p>
        </div>
        <p className="lead">How explorers rate the tours that you lead, and who has booked them.</p>
        <ErrorSummary errors={refused?.errors} />
      </div>
      {tours.items.length === 0 ? (
        <div className="empty stack">
          <p>
            You do not lead a tour yet. Once the platform lists one under your name, its ratings,
            reviews and departures appear here.
          </p>
          <p>
            <Link to="/">See all tours</Link> or <Link to="/me">the ones you can review</Link>
          </p>
        </div>
      ) : (
        <>
          <GuideFigures figures={shown.figures} />
          <JustCompleted completions={completions} now={now} />
          <OpenDepartures
            departures={departures.open}
            completedHere={completedHere}
            ticked={refused?.absent ?? []}
          />
          <Objections objections={objections} />
          <Reviews {...shown} />
          <RatedTours tours={tours} />
          <Departures departures={departures} />
        </>
      )}
    </div>
  );
}
