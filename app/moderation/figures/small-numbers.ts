// One rule for all public numbers of reports, decisions and no-shows (docs/rules/moderation.md, Figures).

/** Fewer of a kind would tell something of one: an entry of the log names the tour and the time of a removal. */
export const FEWEST = 5;

/**
 * A count in public: rounded down to a multiple of five, since the difference of two days would tell of one, too; null
 * for fewer than five, none included.
 */
export const inPublic = (count: number): number | null =>
  count < FEWEST ? null : count - (count % FEWEST);

/** "10 to 14" for such a count. */
export const rangeInWords = (count: number | null | undefined): string =>
  count === null || count === undefined
    ? `fewer than ${FEWEST}`
    : `${count.toLocaleString("en-GB")} to ${(count + FEWEST - 1).toLocaleString("en-GB")}`;
