import { mongo } from "mongoose";
import { ExpectedError } from "~/config/expected-error";
import { pageTexts } from "./refusal-texts";

/** A refusal of docs/rules: the status and the text that the API and the pages answer with. */
export class ServiceError extends ExpectedError {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 409 | 412 | 422 | 429 | 503,
    message: string,
    /** The input field that the text is about, for a form to point at. */
    readonly field?: string,
  ) {
    super(message);
  }
}

/** How much of a limit is left to whom a request was counted for. */
export interface LimitState {
  name: string;
  points: number;
  windowSeconds: number;
  left: number;
  secondsLeft: number;
}

/** A refused request that may be sent again after `retryAfter` whole seconds. */
export class RateLimitError extends ServiceError {
  constructor(
    status: 400 | 429 | 503,
    message: string,
    readonly retryAfter: number,
    /** The limit that was exceeded. */
    readonly limit?: LimitState,
  ) {
    super(status, message);
  }
}

const TRY_AGAIN_SECONDS = 5;

/** A change that others, or a slow database, have kept from being stored. Nothing of it is. */
export class BusyError extends RateLimitError {
  constructor(options?: ErrorOptions) {
    super(503, pageTexts.busy, TRY_AGAIN_SECONDS);
    this.cause = options?.cause;
  }
}

/** A change whose commit the database has not confirmed: it may be stored. */
export class UncertainError extends ServiceError {
  constructor(options?: ErrorOptions) {
    super(503, pageTexts.uncertain);
    this.cause = options?.cause;
  }
}

/** A database that cannot be used. */
export class DatabaseError extends ExpectedError {}

export interface FormErrors {
  fields: Record<string, string>;
  form?: string;
}

/** A refused form: status 400 with every field's error; its message is the first one. */
export class FormError extends ServiceError {
  constructor(readonly fields: Record<string, string>) {
    const [[field, message] = ["", ""]] = Object.entries(fields);
    super(400, message, field);
  }
}

/** Whether a unique index refused a write, one of these fields if they are given: a platform may have its own. */
export const isDuplicateKeyError = (error: unknown, ...fields: string[]): boolean =>
  error instanceof mongo.MongoServerError &&
  error.code === 11000 &&
  fields.every((field) => field in ((error.keyPattern ?? {}) as object));
