import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { EmailField, ErrorSummary, Field, SubmitButton } from "~/ui/forms";
import { ReportedText, Tick, WordsField } from "~/moderation/fields";
import { RadioGroup } from "~/ui/radio-group";
import { clientAddress, currentUser } from "~/server/current-user.server";
import { refusedForm, formTexts } from "~/server/form-data.server";
import { findReported, REPORT_FIELDS, reportItem } from "~/moderation/reports/report.server";
import { casePath, REASON_LABELS } from "~/moderation/labels";
import { unlisted } from "~/ui/site";

export { sendForm as clientAction } from "~/ui/browser/no-answer";
export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => unlisted("Report a review or a reply");

export async function loader({ request }: LoaderFunctionArgs) {
  const url = new URL(request.url).searchParams.get("url") ?? "";
  const user = await currentUser(request);
  return {
    url,
    reported: await findReported(url),
    person: { name: user?.name ?? "", email: user?.email ?? "" },
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await currentUser(request);
  const values = formTexts(await request.formData(), REPORT_FIELDS);
  try {
    return redirect(casePath(await reportItem(user, values, clientAddress())));
  } catch (error) {
    return refusedForm(error, { values });
  }
}

export default function ReportPage() {
  const { url, reported, person } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const errors = refused?.errors;
  const values = refused?.values;
  return (
    <div className="narrow stack-l">
      <div className="stack">
        <h1>Report a review or a reply</h1>
        <p className="lead">
          A member of our team will read your report, decide under{" "}
          <Link to="/about/reviews">our rules</Link> and tell you why. A low rating or a harsh
          opinion is not a reason to remove a review.
        </p>
      </div>
      <ErrorSummary errors={errors} />
      {reported && (
        <div className="card">
          <ReportedText {...reported} />
        </div>
      )}
      {!reported && url !== "" && !refused && (
        <p className="note">
          There is nothing to report at that address. It may have been deleted meanwhile.
        </p>
      )}
      <Form method="post" action="/report" className="form" noValidate>
        {reported ? (
          <input type="hidden" name="url" value={url} />
        ) : (
          <Field
            label="Address of the review or the reply"
            name="url"
            hint="Open the review’s own page and copy its address; for the reply, add #reply."
            defaultValue={values?.url ?? ""}
            error={errors?.fields.url}
            required
          />
        )}
        <RadioGroup
          legend="Your reason"
          name="reason"
          choices={Object.entries(REASON_LABELS).map(([value, label]) => ({ value, label }))}
          chosen={values?.reason}
          error={errors?.fields.reason}
        />
        <WordsField
          label="Tell us more"
          hint="Say exactly what is wrong, and how you know. We show this to nobody else."
          defaultValue={values?.words}
          error={errors?.fields.words}
        />
        <Field
          label="Your name"
          name="name"
          hint="Optional. We never tell the author who reported something."
          autoComplete="name"
          defaultValue={values?.name ?? person.name}
          error={errors?.fields.name}
        />
        <EmailField
          label="Your e-mail address"
          name="email"
          type="email"
          autoComplete="email"
          hint="Optional. We e-mail you our decision. Without an e-mail address, save the link on the next page."
          defaultValue={values?.email ?? person.email}
          error={errors?.fields.email}
        />
        <Tick
          name="goodFaith"
          error={errors?.fields.goodFaith}
          defaultChecked={values?.goodFaith === "yes"}
        >
          I believe in good faith that what I report is true and complete.
        </Tick>
        <p className="row">
          <SubmitButton action="/report">Send the report</SubmitButton>
        </p>
      </Form>
    </div>
  );
}
