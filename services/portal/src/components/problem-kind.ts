import { ApiProblem } from '@po/client';

/** How a failure is shown. */
export type ProblemKind = 'forbidden' | 'unknown' | 'busy' | 'unreachable' | 'outdated' | 'problem';

/** As browsers word it when a part of the page is no longer there: the portal was released anew meanwhile. */
const PART_IS_GONE = /dynamically imported module|importing a module script failed|preload css/i;

export function problemKindOf(error: unknown): ProblemKind {
  if (error instanceof ApiProblem) {
    if (error.status === 403) return 'forbidden';
    if (error.status === 404) return 'unknown';
    if (error.status === 429) return 'busy';
    return error.status >= 502 ? 'unreachable' : 'problem';
  }
  if (error instanceof Error && PART_IS_GONE.test(error.message)) return 'outdated';
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message) ? 'unreachable' : 'problem';
}
