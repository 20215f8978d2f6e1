import { capturedMailsKey } from "~/services/notifications/captured-mails-key.server";

// The pages of captured e-mails, for anybody with the key that the start prints.

const key = () => capturedMailsKey(process.env.SESSION_SECRET!);

/** The address with the key; `mail` is the id of the e-mail to show. */
export const mailsPath = (mail?: string) =>
  `/dev/mail?key=${key()}${mail === undefined ? "" : `&mail=${mail}`}`;

/** The cookie that this address sets, or one with another key. */
export const mailsCookie = (value = key()) =>
  `captured-mails=${encodeURIComponent(Buffer.from(JSON.stringify(value)).toString("base64"))}`;
