import { ApiProblem, type components } from '@po/client';
import type { STATES } from './texts.js';

export type ProblemKind = 'forbidden' | 'unknown' | 'busy' | 'unreachable' | 'outdated' | 'problem';

/** Browsers' messages for a missing module, after the portal was redeployed while the page was open. */
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

/** Seconds until the API accepts requests again; 0 if the error is not a rate limit. */
export const waitOf = (error: unknown): number =>
  error instanceof ApiProblem && error.status === 429 ? (error.retryAfterS ?? 0) : 0;

/** Reason for the failure in the user's language: the API's text, or the text for this kind of failure. */
export function reasonOf(
  error: unknown,
  texts: (typeof STATES)['en' | 'zh'],
  kind = problemKindOf(error),
  waitS = waitOf(error),
): string {
  if (kind === 'busy') return texts.busy.text(waitS);
  const { code, errors = [] } = (error instanceof ApiProblem && error.document) || {};
  if (code === 'VALIDATION_FAILED' && errors.length > 0) {
    // With field errors, the detail of the whole request is meant for programs.
    const fields = errors as components['schemas']['FieldError'][];
    return texts.refused(fields.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`).join(texts.semicolon));
  }
  // Unlike other refusals by role, an administrator can cure this one without another role.
  const isSpecific = kind === 'problem' || code === 'VENDOR_NOT_LINKED';
  return isSpecific && error instanceof ApiProblem && error.document ? error.message : texts[kind].text;
}
