import { ProblemError } from '@po/contracts';

/** The refusal of a file that is not what it is said to be, with a sentence on what is wrong and what is taken. */
export const unreadable = (reason: string, reasonZh: string): ProblemError =>
  new ProblemError('BAD_REQUEST', {}, { hidden: { reason, reasonZh } });
