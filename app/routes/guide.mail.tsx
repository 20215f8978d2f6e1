import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { type RadioChoice, RadioGroup } from "~/ui/radio-group";
import { redirectWithNotice, refusedForm, requireUser, formText } from "~/server/for-routes.server";
import { digestTime } from "~/mail/outbox.server";
import { getMailSettings, setMails, type ReviewMails } from "~/mail/mail-settings.server";
import { titled } from "~/ui/site";

export { headers } from "~/server/for-routes.server";

export const meta: MetaFunction = () => [titled("E-mail settings")];

export async function loader({ request }: LoaderFunctionArgs) {
  const { id, email } = await requireUser(request);
  const { reviews } = await getMailSettings(id);
  return { email, reviewMails: reviews, dailyAt: digestTime() };
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const reviewMails = formText(await request.formData(), "reviewMails");
  try {
    await setMails(user.id, "reviews", reviewMails);
    return await redirectWithNotice(request, "/guide/mail", "Your e-mail settings are saved.");
  } catch (error) {
    return refusedForm(error, { reviewMails });
  }
}

const choices = (dailyAt: string): (RadioChoice & { value: ReviewMails })[] => [
  { value: "each", label: "Each review", hint: "An e-mail as soon as a review is written." },
  {
    value: "daily",
    label: "Once a day",
    hint: `One e-mail at ${dailyAt}, with all reviews since the last one, if there are any.`,
  },
  {
    value: "none",
    label: "None",
    hint: "No e-mails. You will find new reviews on the page “Your tours”.",
  },
];

export default function MailSettings() {
  const { email, reviewMails, dailyAt } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const error = refused?.errors.fields.reviewMails;
  const chosen = refused ? refused.reviewMails : reviewMails;
  return (
    <div className="narrow stack">
      <h1>E-mail settings</h1>
      <p className="lead">Which e-mails do you want about new reviews of your tours?</p>
      <ErrorSummary errors={refused?.errors} />
      <Form method="post" action="/guide/mail" className="form">
        <RadioGroup
          legend={
            <span>
              E-mails to <bdi translate="no">{email}</bdi>
            </span>
          }
          name="reviewMails"
          choices={choices(dailyAt)}
          chosen={chosen}
          error={error}
        />
        <p className="row">
          <SubmitButton action="/guide/mail">Save</SubmitButton>
          <Link className="button button-quiet" to="/guide">
            Back to your tours
          </Link>
        </p>
      </Form>
    </div>
  );
}
