import { ApiProblem } from '@po/client';
import { type Patience, Stopped, patiently } from '../../api/patiently.js';
import { isOutdated, type ImportResult } from '../../api/writes.js';
import type { Versioned } from '../../api/schemas.js';
import { type OrderImport, type Preview, type RowError, type State, refusalOf, toApply } from './order-import.js';

/** What a run tells, and what ends it. */
export interface Run extends Patience {
  tell: (poRef: string, state: State) => void;
  /** Ends it between two orders: what was begun is not broken off. */
  signal: AbortSignal;
}

export type Check = (
  part: OrderImport,
  signal: AbortSignal,
) => Promise<Versioned<Pick<ImportResult, 'changes' | 'errors'>>>;
export type Apply = (part: OrderImport, version: number) => Promise<Versioned<ImportResult>>;

/** Asks of each order what its lines would change. Ends early where no answer comes. */
export async function checkAll(parts: readonly OrderImport[], check: Check, run: Run): Promise<void> {
  for (const part of parts) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- one after the other is what keeps below the rate limit
    if (run.signal.aborted || !(await checkOne(part, check, run, false))) return;
  }
}

/** Imports what can be: the lines of each order, one after the other. Ends early where no answer comes. */
export async function applyAll(
  parts: readonly OrderImport[],
  { check, apply }: { check: Check; apply: Apply },
  run: Run,
): Promise<void> {
  for (const part of parts) {
    const preview = toApply(part);
    if (!preview) continue;
    if (run.signal.aborted) return;
    run.tell(part.poRef, { at: 'applying', preview });
    try {
      // oxlint-disable-next-line eslint/no-await-in-loop -- as above
      await patiently(() => apply(part, preview.version), run);
      run.tell(part.poRef, { at: 'applied', preview });
    } catch (error) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- as above
      if (!(await notApplied(part, preview, error, { check, run }))) return;
    }
  }
}

/** Whether to go on with the next one. */
async function checkOne(part: OrderImport, check: Check, run: Run, hasMoved: boolean): Promise<boolean> {
  run.tell(part.poRef, { at: 'checking' });
  try {
    const { version, data } = await patiently(() => check(part, run.signal), run);
    run.tell(part.poRef, { at: 'checked', preview: { version, changes: data.changes, errors: data.errors }, hasMoved });
    return true;
  } catch (error) {
    if (run.signal.aborted) {
      run.tell(part.poRef, { at: 'waiting' });
      return false;
    }
    const refusal = refusalOf(error);
    run.tell(part.poRef, { at: 'refused', refusal, preview: null });
    return refusal.kind !== 'noAnswer';
  }
}

/** Whether to go on with the next one. */
async function notApplied(
  part: OrderImport,
  preview: Preview,
  error: unknown,
  { check, run }: { check: Check; run: Run },
): Promise<boolean> {
  if (error instanceof Stopped) {
    run.tell(part.poRef, part.state);
    return false;
  }
  const code = error instanceof ApiProblem ? error.code : null;
  // Others were faster: what is shown is not what would happen, so it is shown anew and asked for again.
  if (isOutdated(error)) return checkOne(part, check, run, true);
  if (error instanceof ApiProblem && code === 'IMPORT_INVALID') {
    const errors = (error.document?.errors ?? []) as readonly RowError[];
    run.tell(part.poRef, { at: 'checked', preview: { ...preview, errors }, hasMoved: false });
    return true;
  }
  const refusal = refusalOf(error);
  run.tell(part.poRef, { at: 'refused', refusal, preview: refusal.kind === 'noAnswer' ? preview : null });
  return refusal.kind !== 'noAnswer';
}
