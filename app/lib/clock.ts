/** An option of services, so that tests can set the time. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
