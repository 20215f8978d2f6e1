import { type Content, CONTENT_FIELDS } from "~/reviews/content";
import { Written } from "~/reviews/list/comment";
import { ReviewStars } from "~/ui/stars";
import { CommentField, StarInput } from "./review-fields";

interface FieldsProps {
  content: Content;
  /** The errors by the fields' names. */
  errors: Record<string, string> | undefined;
}

/** The fields of a form in which a review is written. */
export const ContentFields = ({ content: { rating, comment }, errors = {} }: FieldsProps) => (
  <>
    <StarInput defaultValue={rating || undefined} error={errors.rating} />
    <CommentField defaultValue={comment ?? ""} error={errors.comment} />
  </>
);

interface HiddenProps {
  content: Record<keyof Content, string | number>;
  /** A field that the form shows. */
  except?: keyof Content | false;
}

/** The same, where the form takes along what was written elsewhere. */
export const HiddenContent = ({ content, except }: HiddenProps) =>
  CONTENT_FIELDS.filter((name) => name !== except).map((name) => (
    <input key={name} type="hidden" name={name} value={content[name] || ""} />
  ));

export const WrittenContent = ({ content: { rating, comment } }: { content: Content }) => (
  <>
    {rating !== 0 && <ReviewStars rating={rating} />}
    {comment && <Written text={comment} />}
  </>
);
