import { Form } from "@remix-run/react";
import type { FormErrors } from "~/lib/errors.server";
import type { ReplyMails } from "~/mail/mail-settings.server";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { ACCOUNT_PATH } from "~/ui/paths";
import { Section } from "~/ui/section";
import type { Intent } from "./account-form";

const INTENT = "reply-mails" satisfies Intent;

export const REPLY_MAILS_IN_WORDS: Record<ReplyMails, string> = {
  each: "You get an e-mail when a guide replies to one of your reviews.",
  none: "You get no e-mails about replies to your reviews.",
};

export function ReplyMailsSetting({
  chosen,
  errors,
}: {
  chosen: ReplyMails;
  errors: FormErrors | undefined;
}) {
  return (
    <Section id="replies" title="E-mails about replies" level={3} className="card stack">
      <ErrorSummary errors={errors} />
      <p>{REPLY_MAILS_IN_WORDS[chosen]}</p>
      <Form method="post" action={ACCOUNT_PATH}>
        <input type="hidden" name="replyMails" value={chosen === "each" ? "none" : "each"} />
        <SubmitButton action={ACCOUNT_PATH} className="button-quiet" name="intent" value={INTENT}>
          {chosen === "each" ? "Stop these e-mails" : "Send me these e-mails"}
        </SubmitButton>
      </Form>
    </Section>
  );
}
