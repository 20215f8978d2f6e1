import { Form } from "@remix-run/react";
import type { FormErrors } from "~/lib/errors.server";
import type { ReplyMails } from "~/mail/mail-settings.server";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { ACCOUNT_PATH } from "~/ui/paths";
import { Section } from "~/ui/section";
import type { Intent } from "./account-form";

export const REPLY_MAILS_IN_WORDS: Record<ReplyMails, string> = {
  each: "You get an e-mail when a guide replies to one of your reviews.",
  none: "You get no e-mails about replies to your reviews.",
};

export const REQUEST_MAILS_IN_WORDS: Record<ReplyMails, string> = {
  each: "You get one e-mail after a tour that asks how it was.",
  none: "You get no e-mails that ask for reviews.",
};

interface Props {
  chosen: ReplyMails;
  errors: FormErrors | undefined;
}

export const ReplyMailsSetting = (props: Props) => (
  <MailsSetting
    {...props}
    id="replies"
    title="E-mails about replies"
    inWords={REPLY_MAILS_IN_WORDS}
    field="replyMails"
    intent="reply-mails"
  />
);

export const RequestMailsSetting = (props: Props) => (
  <MailsSetting
    {...props}
    id="requests"
    title="E-mails that ask for reviews"
    inWords={REQUEST_MAILS_IN_WORDS}
    field="reviewRequests"
    intent="review-requests"
  />
);

interface MailsSettingProps extends Props {
  id: string;
  title: string;
  inWords: Record<ReplyMails, string>;
  field: string;
  intent: Intent;
}

function MailsSetting({ chosen, errors, id, title, inWords, field, intent }: MailsSettingProps) {
  return (
    <Section id={id} title={title} level={3} className="card stack">
      <ErrorSummary errors={errors} />
      <p>{inWords[chosen]}</p>
      <Form method="post" action={ACCOUNT_PATH}>
        <input type="hidden" name={field} value={chosen === "each" ? "none" : "each"} />
        <SubmitButton action={ACCOUNT_PATH} className="button-quiet" name="intent" value={intent}>
          {chosen === "each" ? "Stop these e-mails" : "Send me these e-mails"}
        </SubmitButton>
      </Form>
    </Section>
  );
}
