import type { FormErrors } from "~/lib/errors.server";
import { AccountForm } from "~/accounts/account-form";
import type { CurrentUser } from "~/accounts/users.server";
import { Avatar } from "~/ui/avatar";
import { Field } from "~/ui/forms";

interface Props {
  user: CurrentUser;
  values?: { name: string; image: string };
  errors?: FormErrors;
}

export function Profile({ user, values, errors }: Props) {
  return (
    <div className="card stack">
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
    </div>
  );
}

/** The profile of a user whom a platform has handed over: each log-in brings it anew. */
export const PlatformProfile = ({ user }: Pick<Props, "user">) => (
  <div className="card stack">
    <p className="row">
      <Avatar name={user.name} image={user.image} />
      <strong>
        <bdi translate="no">{user.name}</bdi>
      </strong>
    </p>
    <p>
      <bdi translate="no">{user.email}</bdi>
    </p>
    <p>
      Your name, picture and e-mail address are those of your account where you log in. Change them
      there, and log in again.
    </p>
  </div>
);
