import { type Content, CONTENT_FIELDS, reviewContent } from "#models/content";

export {
  type Content,
  CONTENT_FIELDS,
  reviewContent,
  NO_WORDS,
  WORD_FIELDS,
  type Words,
} from "#models/content";

/** The same as a form has it: a rating of 0 is none. */
export type TypedContent = { [Name in keyof Content]: NonNullable<Content[Name]> };

/** Returns a filled form's content as it is stored. */
export const storedContent = ({ rating, comment }: Partial<TypedContent>): Content =>
  reviewContent({ rating: rating || null, comment: comment || null });

export const isSameContent = (one: Content, other: Content): boolean =>
  CONTENT_FIELDS.every((name) => (one[name] || null) === (other[name] || null));
