import { Form } from "@remix-run/react";
import type { FormErrors } from "~/infra/errors.server";
import type { CurrentUser } from "~/accounts/users.server";
import { ErrorSummary, Field, SubmitButton } from "~/ui/forms";
import { ACCOUNT_PATH } from "~/ui/paths";
import type { Intent } from "~/accounts/account-intents";

interface Props {
  user: CurrentUser;
  values: { name: string; image: string } | undefined;
  errors: FormErrors | undefined;
}

export function Profile({ user, values, errors }: Props) {
  return (
    <section className="card stack" aria-labelledby="profile">
      <h2 id="profile">Profile</h2>
      <ErrorSummary errors={errors} idPrefix="profile-" />
      <Form method="post" className="form" noValidate>
        <Field
          label="Name"
          name="name"
          idPrefix="profile-"
          hint="Shown next to your reviews."
          autoComplete="name"
          required
          defaultValue={values?.name ?? user.name}
          error={errors?.fields.name}
        />
        <Field
          label="Picture"
          name="image"
          type="url"
          idPrefix="profile-"
          hint="Optional: the address of a picture, starting with https://."
          autoComplete="photo"
          defaultValue={values?.image ?? user.image ?? ""}
          error={errors?.fields.image}
        />
        <div className="row">
          <SubmitButton action={ACCOUNT_PATH} name="intent" value={"profile" satisfies Intent}>
            Save profile
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}
