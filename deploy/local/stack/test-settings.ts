const HALF_A_DAY_MS = 12 * 3_600_000;

/** Settings of a test stack: no rate limits, and a reminder time half a day away, so that no reminder is created during a run. */
export const testSettings = (): Record<string, string> => ({
  RATE_LIMIT_READS_PER_MINUTE: '0',
  RATE_LIMIT_WRITES_PER_MINUTE: '0',
  EXPORTS_PER_MINUTE: '0',
  REMIND_AT: new Date(Date.now() + HALF_A_DAY_MS).toISOString().slice(11, 16),
});
