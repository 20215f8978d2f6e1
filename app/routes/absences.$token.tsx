import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData, useParams } from "@remix-run/react";
import { ErrorSummary } from "~/ui/forms";
import { AbsenceInWords, ObjectionForm } from "~/me/were-you-there";
import { absencePath, tourPath } from "~/ui/paths";
import { clientAddress } from "~/server/current-user.server";
import { refusedForm, formText } from "~/server/form-data.server";
import { withLinkPage } from "~/server/pages.server";
import { getAbsence, objectByLink } from "~/guides/departures/objections.server";
import { unlisted } from "~/ui/site";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => unlisted("Did you take this tour?");

const GONE =
  "The address may be incomplete: open the whole link from our e-mail. Or your guide has taken back that you did not come: then you need not do anything.";

/** Only shows the question: programs that look into e-mails follow links too. */
export async function loader({ params }: LoaderFunctionArgs) {
  return withLinkPage(getAbsence(params.token ?? ""), GONE);
}

export async function action({ request, params }: ActionFunctionArgs) {
  const token = params.token ?? "";
  // Its own form sends it: no other POST, of whatever looks into e-mails, says that somebody was there.
  if (!formText(await request.formData(), "absence")) throw new Response(null, { status: 400 });
  try {
    await objectByLink(token, clientAddress());
    // Without a notice, which would need a session: the page says what has been done.
    return redirect(absencePath(token));
  } catch (error) {
    return refusedForm(error);
  }
}

export default function Absence() {
  const absent = useLoaderData<typeof loader>();
  const { token = "" } = useParams();
  const refused = useActionData<typeof action>();
  if (absent.objected)
    return (
      <div className="centred stack">
        <h1 key="objected">Thank you for telling us</h1>
        <p className="lead" role="status">
          We’ve marked your booking of <bdi>{absent.tour.title}</bdi> as completed and told the
          guide.
        </p>
        {absent.tour.slug && (
          <p className="row">
            <Link to={`${tourPath(absent.tour.slug)}#write`} className="button">
              Review the tour
            </Link>
          </p>
        )}
      </div>
    );
  return (
    <div className="centred stack">
      <h1 key="asked">Did you take this tour?</h1>
      <ErrorSummary errors={refused?.errors} />
      <p className="lead">
        <AbsenceInWords {...absent} />
      </p>
      {absent.until ? (
        <ObjectionForm action={absencePath(token)} absent={absent} until={absent.until} />
      ) : (
        <p>
          This can no longer be changed here: the 30 days are over, or your booking was changed
          meanwhile.
        </p>
      )}
    </div>
  );
}
