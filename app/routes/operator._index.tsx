import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { PasswordField } from "~/accounts/password-field";
import { decidedCases, waitingCases } from "~/moderation/cases.server";
import { NoShows } from "~/moderation/figures/no-shows";
import { noShowsByGuide } from "~/moderation/figures/no-shows.server";
import { DecidedSearch, Queue, QueueTabs, WaitingSanctions } from "~/moderation/queue";
import { waitingSanctions } from "~/moderation/sanctions/sanctions.server";
import { useByPlatform } from "~/ui/browser/by-platform";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { OPERATOR_PATH } from "~/ui/paths";
import { refusedForm, formText } from "~/server/form-data.server";
import { requireProof } from "~/server/single-sign-on.server";
import { confirm, isReauthenticated, requireOperator } from "~/server/require-operator.server";
import { titled } from "~/ui/site";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => [titled("Reports")];

export async function loader({ request }: LoaderFunctionArgs) {
  const { email } = await requireOperator(request);
  const { searchParams } = new URL(request.url);
  const to = searchParams.get("to") ?? "";
  const isDecided = searchParams.get("tab") === "decided";
  const words = (searchParams.get("q") ?? "").slice(0, 100);
  const now = new Date().toISOString();
  const shown = { email, to, isDecided, isSearched: isDecided && words.trim() !== "", now };
  if (!(await isReauthenticated(request)))
    return { ...shown, cases: null, appeals: [], guides: [] };
  const after = searchParams.get("after");
  if (isDecided) {
    const cases = await decidedCases(words, after);
    return { ...shown, cases, appeals: [], guides: [] };
  }
  const [cases, appeals, guides] = await Promise.all([
    waitingCases(after),
    waitingSanctions(),
    noShowsByGuide(),
  ]);
  return { ...shown, cases, appeals, guides };
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireOperator(request);
  const form = await request.formData();
  const to = formText(form, "to");
  const page = `${OPERATOR_PATH}?to=${encodeURIComponent(to)}`;
  try {
    const proof = await requireProof(request, page, formText(form, "password"));
    return await confirm(request, user, { proof, to });
  } catch (error) {
    return refusedForm(error);
  }
}

export default function OperatorHome() {
  const { email, to, cases, isDecided, isSearched, now, appeals, guides } =
    useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const byPlatform = useByPlatform();
  if (!cases)
    return (
      <div className="centred stack">
        <h1>Reports</h1>
        <p className="lead">
          {byPlatform
            ? "Confirm that it is you. We won’t ask again for 30 minutes."
            : "Enter your password. We won’t ask again for 30 minutes."}
        </p>
        <ErrorSummary errors={refused?.errors} />
        <Form method="post" action={OPERATOR_PATH} className="form" noValidate>
          <input type="hidden" name="to" value={to} />
          <PasswordField
            label="Your password"
            name="password"
            account={email}
            error={refused?.errors.fields.password}
          />
          <p className="row">
            <SubmitButton action={OPERATOR_PATH}>Continue</SubmitButton>
          </p>
        </Form>
      </div>
    );
  return (
    <div className="stack-l">
      <div className="stack">
        <h1 id="waiting">Reports</h1>
        <p className="lead">
          {isDecided
            ? "These cases are decided, the latest first."
            : "Reports and appeals wait here for a decision: danger to somebody’s life first, then the oldest."}
        </p>
        <QueueTabs isDecided={isDecided} />
      </div>
      {isDecided && <DecidedSearch />}
      <Queue
        {...cases}
        now={now}
        none={
          isSearched
            ? "No decided case is found."
            : isDecided
              ? "Nothing is decided yet."
              : "Nothing waits for a decision."
        }
      />
      <WaitingSanctions appeals={appeals} />
      <NoShows guides={guides} />
    </div>
  );
}
