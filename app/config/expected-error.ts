/** An error that a command tells a person by its message alone, which says what to do. */
export class ExpectedError extends Error {}
