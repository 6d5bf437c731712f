import { ProblemError } from '@po/contracts';

/** The refusal of what cannot be answered now and changed nothing. */
export const unavailable = (): ProblemError => new ProblemError('UNAVAILABLE', {}, { headers: { 'retry-after': '2' } });
