import { ProblemError } from '@po/contracts';

/** The refusal of what cannot be answered now and changed nothing; after so many seconds it may be tried again. */
export const unavailable = (retryAfterS = 2): ProblemError =>
  new ProblemError('UNAVAILABLE', {}, { headers: { 'retry-after': String(retryAfterS) } });
