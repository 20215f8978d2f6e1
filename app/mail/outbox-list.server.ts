import {
  Notification,
  NOTIFICATION_KINDS,
  type NotificationDocument,
  type NotificationState,
} from "#models/notification";
import { oneLine } from "#models/visible";

/** Lists those that wait by the time at which they are due, all others latest first. */
export async function listOutbox(
  state: NotificationState,
  limit: number,
): Promise<{ mails: ListedMail[]; count: number }> {
  const order = state === "pending" ? 1 : -1;
  // A query for each kind, because the index has the kind before the time.
  const found = await Promise.all(
    NOTIFICATION_KINDS.map((kind) =>
      Notification.find({ state, kind })
        .sort({ dueAt: order })
        .limit(limit)
        .lean<NotificationDocument[]>(),
    ),
  );
  const mails = found.flat().sort((a, b) => order * (a.dueAt.getTime() - b.dueAt.getTime()));
  const count = await Notification.countDocuments({ state });
  return { mails: mails.slice(0, limit).map(toListedMail), count };
}

export type ListedMail = ReturnType<typeof toListedMail>;

/** For an operator: without what the e-mail says, and with no whole address. */
function toListedMail(notification: NotificationDocument) {
  const { _id, kind, state, createdAt, dueAt, attempts, failure } = notification;
  const to = kind === "account" ? notification.mail?.to.email : notification.inputs.guideEmail;
  return {
    id: _id.toString(),
    kind,
    state,
    createdAt,
    dueAt,
    attempts,
    to: to === undefined ? null : shortenAddresses(to),
    failure: failure === undefined ? null : shortenAddresses(failure),
  };
}

/** The text on one line, with every address as `a…@example.com`. */
const shortenAddresses = (text: string) =>
  oneLine(text).replace(/(?<![^\s@<>()"'])[^\s@<>()"']+(?=@)/g, ([first]) => `${first}…`);
