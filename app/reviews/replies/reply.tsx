import { Form, Link } from "@remix-run/react";
import { type MouseEvent, type ReactNode, useRef } from "react";
import type { FormErrors } from "~/lib/errors.server";
import { Avatar } from "~/ui/avatar";
import { Written } from "~/reviews/list/comment";
import type { ListedReply } from "~/reviews/list/listed-review.server";
import { CommentField, DraftNote } from "~/reviews/review-fields";
import { useDraft } from "~/ui/browser/drafts";
import { SubmitButton } from "~/ui/forms";
import { guidePath, replyPath } from "~/ui/paths";
import { Time } from "~/ui/time";
import { AccessibleSuffix } from "~/ui/accessible-suffix";

const SAVE = "save";
export const WITHDRAW = "withdraw";

/** The values of the field `intent` of the page of a guide's reply. */
export const INTENTS = [SAVE, WITHDRAW] as const;

interface ReplyProps {
  reply: ListedReply;
  timeZone: string;
  /** The id of the reply's element, where links of the page lead to it. */
  id?: string;
}

export function Reply({ reply, timeZone, id }: ReplyProps) {
  const { text, createdAt, editedAt, outdated, userId, user } = reply;
  const guide = guidePath(userId);
  const name = <bdi translate="no">{user.name}</bdi>;
  return (
    <div className="reply" id={id}>
      <div className="reply-head">
        <Avatar name={user.name} image={user.image} small />
        <div>
          {user.name ? (
            <p key="named">
              Response from <strong>{guide ? <Link to={guide}>{name}</Link> : name}</strong>, your
              guide
            </p>
          ) : (
            <p key="unnamed">Response from your guide</p>
          )}
          <p className="muted small">
            <Time at={createdAt} zone={timeZone} />
            <span>{editedAt ? "\u00A0· edited" : ""}</span>
          </p>
        </div>
      </div>
      <Written text={text} />
      {outdated && <p className="muted small">The review was changed after this reply.</p>}
    </div>
  );
}

interface FormProps {
  reviewId: string;
  /** The guide's stored reply with the tag of its state. */
  reply: { text: string; tag: string } | null;
  /** The author's name, on a page with several reviews. */
  of?: string;
  /** The page of this site from which the guide came, and to which the guide returns. */
  back?: string;
  /** An unsent text with the tag of the state for which it was typed. */
  typed?: { comment: string; tag: string } | null;
  errors?: FormErrors | undefined;
}

const replyIdPrefix = (reviewId: string) => `reply-${reviewId}-`;

export const replyFieldId = (reviewId: string) => `${replyIdPrefix(reviewId)}comment`;

export function ReplyForm({ reviewId, reply, of, back, typed = null, errors }: FormProps) {
  const action = replyPath(reviewId);
  const draft = useDraft(action, typed !== null);
  const idPrefix = of === undefined ? "" : replyIdPrefix(reviewId);
  return (
    <Form method="post" action={action} className="form" {...draft.form}>
      <input type="hidden" name="tag" value={typed?.tag ?? draft.found?.tag ?? reply?.tag ?? ""} />
      {back && <input type="hidden" name="back" value={back} />}
      <CommentField
        kind="reply"
        idPrefix={idPrefix}
        defaultValue={typed?.comment ?? reply?.text ?? ""}
        error={errors?.fields.comment}
        // Among other reviews, a refusal would lead to another page.
        required={of !== undefined}
      />
      <ul className="hints muted small">
        <li>Reply to what they said: thank them, explain, or say what you’ll change.</li>
        <li>Don’t identify the reviewer or share anything personal.</li>
        <li>Don’t offer anything for a better review or press anyone to change theirs.</li>
      </ul>
      <DraftNote draft={draft}>We’ll e-mail the explorer about it.</DraftNote>
      <p className="row">
        <SubmitButton action={action} name="intent" value={SAVE}>
          <span>{reply ? "Save the reply" : "Publish the reply"}</span>
          {of !== undefined && <AccessibleSuffix words=" to " name={of} />}
        </SubmitButton>
      </p>
    </Form>
  );
}

interface WithdrawReplyProps {
  reviewId: string;
  tag: string;
  back?: string;
  children?: ReactNode;
}

export function WithdrawReply({
  reviewId,
  tag,
  back,
  children = "Withdraw this reply",
}: WithdrawReplyProps) {
  const action = replyPath(reviewId);
  const fold = useRef<HTMLDetailsElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const keep = useRef<HTMLButtonElement>(null);
  const title = `withdraw-${reviewId}`;
  // Without scripts the fold opens, and shows the question below its button.
  const openDialog = (event: MouseEvent) => {
    event.preventDefault();
    fold.current?.setAttribute("open", "");
    dialog.current?.removeAttribute("open");
    dialog.current?.showModal();
    // The browser has looked for it when the fold was closed.
    keep.current?.focus();
  };
  return (
    <details ref={fold} className="question">
      <summary className="button button-quiet button-small" onClick={openDialog}>
        {children}
      </summary>
      <dialog
        open
        ref={dialog}
        aria-labelledby={title}
        className="stack"
        onClose={() => fold.current?.removeAttribute("open")}
      >
        <h2 id={title}>Withdraw this reply?</h2>
        <p>Readers will no longer see it. This can’t be undone.</p>
        <Form method="post" action={action} className="row">
          <input type="hidden" name="tag" value={tag} />
          {back && <input type="hidden" name="back" value={back} />}
          <button
            type="button"
            ref={keep}
            className="button button-quiet button-small"
            onClick={() => dialog.current?.close()}
          >
            Keep the reply
          </button>
          <SubmitButton
            action={action}
            className="button-danger button-small"
            name="intent"
            value={WITHDRAW}
          >
            <span>{children}</span>
            <span> for good</span>
          </SubmitButton>
        </Form>
      </dialog>
    </details>
  );
}
