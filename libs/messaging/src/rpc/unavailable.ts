import { ProblemError } from '@po/contracts';

/** Refusal of a request that cannot be answered now and changed nothing. It may be retried after `retryAfterS` seconds. */
export const unavailable = (retryAfterS = 2): ProblemError =>
  new ProblemError('UNAVAILABLE', {}, { headers: { 'retry-after': String(retryAfterS) } });
