import type { MailService } from "@sendgrid/mail";
import type { Mailbox } from "#models/notification";
import { DAY_MS } from "~/lib/durations";
import { sendableEmail } from "~/lib/email-address.server";
import { retryAfterMs } from "~/lib/retries.server";

export const SEND_TIMEOUT_MS = 10_000;

const LONGEST_WAIT_MS = DAY_MS;

export interface Mail {
  to: Mailbox;
  from: Mailbox;
  subject: string;
  text: string;
  html: string;
  /** The page that stops such e-mails, also by a POST without a log-in; e-mails about an account have none. */
  unsubscribeUrl?: string;
}

/** It never carries SendGrid's own error object, which holds the API key. */
export class MailError extends Error {
  constructor(
    message: string,
    /** Null when there was no answer. */
    readonly status: number | null,
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }

  /** An operator can mend that in SendGrid's settings. */
  get senderRefused(): boolean {
    return this.status === 401 || this.status === 403;
  }

  get retryable(): boolean {
    const { status } = this;
    return (
      status === null || status >= 500 || [408, 425, 429].includes(status) || this.senderRefused
    );
  }
}

export type SendMail = (mail: Mail) => Promise<void>;

/** Sends through SendGrid's `POST /v3/mail/send`; rejects with `MailError`. */
export function sendGrid(apiKey: string, baseUrl: string, timeoutMs = SEND_TIMEOUT_MS): SendMail {
  let service: MailService | undefined;
  return async ({ unsubscribeUrl, to, ...mail }) => {
    try {
      service ??= await mailService(apiKey, baseUrl, timeoutMs);
      await service.send({
        ...mail,
        // A platform may have stored it with the domain as people read it, which SendGrid refuses.
        to: { ...to, email: sendableEmail(to.email) },
        headers: {
          // RFC 3834: no program that answers for its owner, such as during a holiday, answers.
          "Auto-Submitted": "auto-generated",
          ...(unsubscribeUrl && {
            "List-Unsubscribe": `<${unsubscribeUrl}>`,
            // RFC 8058: the recipient's mail program may do it by itself, with exactly this body.
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          }),
        },
        // Links stay as they are written, nothing tells who opened what, and no second unsubscribe link is added,
        // whatever the account's own settings say.
        trackingSettings: {
          clickTracking: { enable: false, enableText: false },
          openTracking: { enable: false },
          subscriptionTracking: { enable: false },
        },
      });
    } catch (error) {
      throw toMailError(error, apiKey);
    }
  };
}

/** SendGrid's client, loaded with the first e-mail: a process that sends none starts sooner. */
async function mailService(apiKey: string, baseUrl: string, timeout: number): Promise<MailService> {
  // The package's types do not have the class of a module that is imported this way, nor the client of the class.
  const sendgrid = (await import("@sendgrid/mail")) as unknown as {
    MailService: typeof MailService;
  };
  const service = new sendgrid.MailService();
  service.setApiKey(apiKey);
  // After the key, because setting that one resets the address.
  const { client } = service as unknown as { client: { setDefaultRequest(request: object): void } };
  client.setDefaultRequest({ baseUrl, timeout });
  return service;
}

interface SendGridError {
  message?: string;
  code?: number | string;
  response?: {
    headers?: Record<string, string>;
    body?: { errors?: { message?: string }[] };
  };
}

function toMailError(error: unknown, apiKey: string): MailError {
  const { message, code, response } = error as SendGridError;
  const status = response && typeof code === "number" ? code : null;
  const reasons = response?.body?.errors?.map((reason) => reason.message).join("; ");
  const text = `SendGrid: ${status ?? code ?? "no answer"} ${reasons || message || ""}`.trim();
  return new MailError(
    text.replaceAll(apiKey, "[key]").slice(0, 500),
    status,
    retryAfterMs(response?.headers?.["retry-after"] ?? "", LONGEST_WAIT_MS),
  );
}
