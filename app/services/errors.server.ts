/** A refusal that the specification names: the status and the text that both doors answer with. */
export class ServiceError extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 412 | 422 | 429,
    message: string,
    /** The input field that the text is about, for a form to point at. */
    readonly field?: string,
  ) {
    super(message);
  }
}
