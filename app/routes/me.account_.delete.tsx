import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { useByPlatform } from "~/ui/browser/by-platform";
import { forgetDrafts } from "~/ui/browser/drafts";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { PasswordField } from "~/accounts/password-field";
import { reviewsInWords } from "~/ui/stars";
import { refusedForm, formText } from "~/server/form-data.server";
import { requireProof } from "~/server/single-sign-on.server";
import { redirectWithSession, requireUser } from "~/server/pages.server";
import { accountContents, deleteAccount } from "~/personal-data/deletion.server";
import { titled } from "~/ui/site";

export { headers } from "~/server/retry-after.server";

const PATH = "/me/account/delete";

export const meta: MetaFunction = () => [titled("Delete my account")];

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  return { email: user.email, ...(await accountContents(user)) };
}

const deletedInWords = (reviews: number) =>
  `Your account is deleted.${reviews > 0 ? " Your reviews disappear from the site in a few minutes." : ""}`;

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const form = await request.formData();
  try {
    const { reviews } = await accountContents(user);
    await deleteAccount(user, {
      password: await requireProof(request, PATH, formText(form, "password")),
    });
    return await redirectWithSession(request, "/", null, { notice: deletedInWords(reviews) });
  } catch (error) {
    return refusedForm(error);
  }
}

export default function DeleteAccount() {
  const { email, reviews, tours } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const byPlatform = useByPlatform();
  return (
    <div className="centred stack">
      <h1>Delete my account?</h1>
      <p className="lead">This cannot be undone.</p>
      <ul>
        <li>
          {reviews > 0
            ? `Your ${reviewsInWords(reviews)} and the e-mails about ${reviews === 1 ? "it" : "them"} are deleted, and the ratings of the tours change accordingly.`
            : "You have no reviews to delete."}
        </li>
        <li>
          {byPlatform
            ? "Your name, picture and e-mail address are deleted here."
            : "Your name, picture, e-mail address and password are deleted."}
        </li>
        <li>Your access tokens stop working, and you are logged out everywhere.</li>
        <li>Your bookings are not deleted; the guides keep them.</li>
        {tours > 0 && (
          <li>
            The tours that you lead remain, with “A former guide” as their guide. Your replies to
            reviews are deleted.
          </li>
        )}
      </ul>
      <p>
        You may want to{" "}
        <a href="/me/data.json" download>
          download your data
        </a>{" "}
        first.
      </p>
      <ErrorSummary errors={refused?.errors} />
      <Form method="post" className="form" noValidate onSubmit={forgetDrafts}>
        <PasswordField
          label="Your password"
          name="password"
          account={email}
          error={refused?.errors.fields.password}
        />
        <div className="row">
          <Link to="/me/account" className="button button-quiet">
            Keep my account
          </Link>
          <SubmitButton action={PATH} className="button-danger">
            Delete my account
          </SubmitButton>
        </div>
      </Form>
    </div>
  );
}
