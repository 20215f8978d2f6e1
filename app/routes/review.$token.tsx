import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData, useParams } from "@remix-run/react";
import { deleteByLink, editByLink, postByLink, readLink, sayAbsent } from "~/requests/link.server";
import {
  Ask,
  AskAbsent,
  Done,
  INTENTS,
  Other,
  linkPageTitle,
  type View,
} from "~/requests/link-page";
import { ChangePosted, DeletePosted, Posted } from "~/requests/posted-page";
import { clientAddress, currentUser } from "~/server/current-user.server";
import { refusedForm, formText } from "~/server/form-data.server";
import { reviewBody, toReviewFormError, typedContent } from "~/server/review-form.server";
import { requestPath } from "~/ui/paths";
import { unlisted } from "~/ui/site";

export { INTENTS };
export { sendForm as clientAction } from "~/ui/browser/no-answer";
export { headers } from "~/server/retry-after.server";

const VIEWS = ["change", "delete", "absent"] as const;

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  unlisted(linkPageTitle(data?.page ?? { kind: "over" }, data?.view ?? null));

/** Only reads, whatever the address says: programs that look into e-mails follow links, too. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const page = await readLink(params.token ?? "", await currentUser(request));
  const view: View = VIEWS.find((name) => searchParams.has(name)) ?? null;
  const rating = Number(/^[1-5]$/.exec(searchParams.get("rating") ?? "")?.[0]) || null;
  return data({ page, view, rating }, { status: page.kind === "over" ? 404 : 200 });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const token = params.token ?? "";
  const reader = await currentUser(request);
  const options = { reader, clientAddress: clientAddress() };
  const form = await request.formData();
  const intent = INTENTS.find((name) => name === formText(form, "intent")) ?? "post";
  const input = typedContent(form);
  const body = reviewBody(form);
  try {
    if (intent === "absent") await sayAbsent(token, options);
    else if (intent === "delete") await deleteByLink(token, options);
    else if (intent === "save")
      await editByLink(token, body, { ...options, tag: formText(form, "tag") });
    else await postByLink(token, body, options);
    // Without a notice, which would need a session: the page says what has been done.
    return redirect(requestPath(token));
  } catch (error) {
    return refusedForm(toReviewFormError(error, body), { intent, input });
  }
}

export default function ReviewByLink() {
  const { page, view: opened, rating } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { token = "" } = useParams();
  const form = { token, refused };
  const sent = { post: null, save: "change", delete: "delete", absent: "absent" } as const;
  const view = refused && "intent" in refused ? sent[refused.intent] : opened;
  switch (page.kind) {
    case "ask":
      return view === "absent" ? (
        <AskAbsent page={page} {...form} />
      ) : (
        <Ask page={page} rating={rating} {...form} />
      );
    case "posted":
      if (view === "change") return <ChangePosted page={page} {...form} />;
      return view === "delete" ? (
        <DeletePosted page={page} {...form} />
      ) : (
        <Posted page={page} {...form} />
      );
    case "other":
      return <Other page={page} {...form} />;
    default:
      return <Done page={page} {...form} />;
  }
}
