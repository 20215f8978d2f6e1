import type { FormErrors } from "~/infra/errors.server";
import { AccountForm } from "~/accounts/account-form";
import type { CurrentUser } from "~/accounts/users.server";
import { Field } from "~/ui/forms";

interface Props {
  user: CurrentUser;
  values?: { name: string; image: string };
  errors?: FormErrors;
}

export function Profile({ user, values, errors }: Props) {
  return (
    <section className="card stack" aria-labelledby="profile">
      <h2 id="profile">Profile</h2>
      <AccountForm intent="profile" idPrefix="profile-" errors={errors} button="Save profile">
        {(field) => (
          <>
            <Field
              {...field("name")}
              label="Name"
              hint="Shown next to your reviews."
              autoComplete="name"
              required
              defaultValue={values?.name ?? user.name}
            />
            <Field
              {...field("image")}
              label="Picture"
              type="url"
              hint="Optional: the address of a picture, starting with https://."
              autoComplete="photo"
              defaultValue={values?.image ?? user.image ?? ""}
            />
          </>
        )}
      </AccountForm>
    </section>
  );
}
