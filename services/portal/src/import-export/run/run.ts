import { ApiProblem } from '@po/client';
import { type RetryControl, StoppedError, retryRateLimited } from '../../api/retry-rate-limited.js';
import { isOutdated, type ImportResult } from '../../api/writes.js';
import type { Versioned } from '../../api/schemas.js';
import {
  type OrderImport,
  type Preview,
  type RowError,
  type State,
  refusalOf,
  applicablePreview,
} from './order-import.js';

/** Callbacks of a run, and the signal that ends it. */
export interface Run extends RetryControl {
  report: (poRef: string, state: State) => void;
  /** Ends the run between two orders; an import in progress is not aborted. */
  signal: AbortSignal;
}

export type Check = (
  part: OrderImport,
  signal: AbortSignal,
) => Promise<Versioned<Pick<ImportResult, 'changes' | 'errors'>>>;
export type Apply = (part: OrderImport, version: number) => Promise<Versioned<ImportResult>>;

/** Checks the changes of each order. Ends early after a missing answer. */
export async function checkAll(parts: readonly OrderImport[], check: Check, run: Run): Promise<void> {
  for (const part of parts) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- sequential requests stay below the rate limit
    if (run.signal.aborted || !(await checkOne(part, check, run, false))) return;
  }
}

/** Imports the lines of all orders that have changes, one order at a time. Ends early after a missing answer. */
export async function applyAll(
  parts: readonly OrderImport[],
  { check, apply }: { check: Check; apply: Apply },
  run: Run,
): Promise<void> {
  for (const part of parts) {
    const preview = applicablePreview(part);
    if (!preview) continue;
    if (run.signal.aborted) return;
    run.report(part.poRef, { at: 'applying', preview });
    try {
      // oxlint-disable-next-line eslint/no-await-in-loop -- as above
      await retryRateLimited(() => apply(part, preview.version), run);
      run.report(part.poRef, { at: 'applied', preview });
    } catch (error) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- as above
      if (!(await notApplied(part, preview, error, { check, run }))) return;
    }
  }
}

/** Returns whether to continue with the next order. */
async function checkOne(part: OrderImport, check: Check, run: Run, hasMoved: boolean): Promise<boolean> {
  run.report(part.poRef, { at: 'checking' });
  try {
    const { version, data } = await retryRateLimited(() => check(part, run.signal), run);
    run.report(part.poRef, {
      at: 'checked',
      preview: { version, changes: data.changes, errors: data.errors },
      hasMoved,
    });
    return true;
  } catch (error) {
    if (run.signal.aborted) {
      run.report(part.poRef, { at: 'waiting' });
      return false;
    }
    const refusal = refusalOf(error);
    run.report(part.poRef, { at: 'refused', refusal, preview: null });
    return refusal.kind !== 'noAnswer';
  }
}

/** Returns whether to continue with the next order. */
async function notApplied(
  part: OrderImport,
  preview: Preview,
  error: unknown,
  { check, run }: { check: Check; run: Run },
): Promise<boolean> {
  if (error instanceof StoppedError) {
    run.report(part.poRef, part.state);
    return false;
  }
  const code = error instanceof ApiProblem ? error.code : null;
  // Others changed the order, so the shown changes are outdated: check again, and let the user confirm the new changes.
  if (isOutdated(error)) return checkOne(part, check, run, true);
  if (error instanceof ApiProblem && code === 'IMPORT_INVALID') {
    const errors = (error.document?.errors ?? []) as readonly RowError[];
    run.report(part.poRef, { at: 'checked', preview: { ...preview, errors }, hasMoved: false });
    return true;
  }
  const refusal = refusalOf(error);
  run.report(part.poRef, { at: 'refused', refusal, preview: refusal.kind === 'noAnswer' ? preview : null });
  return refusal.kind !== 'noAnswer';
}
