/** Returns the present moment. Services take it as an option, so that tests can set it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
