import { ExpectedError } from "~/config/expected-error";

/** A command was called the wrong way or cannot run here; the message says why. */
export class UsageError extends ExpectedError {}
