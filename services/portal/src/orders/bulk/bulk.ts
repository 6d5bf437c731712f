import { ApiProblem, newKey } from '@po/client';
import type { BatchAnswer, BatchItem } from '../../api/transitions.js';
import { type Patience, Stopped, patiently } from '../../api/patiently.js';
import type { Action, OrderSummary } from '../../api/schemas.js';

/** An order that something is done to, in the version that its user looked at. */
export type Target = Pick<OrderSummary, 'poRef' | 'version'>;

/** How it ended for one order. `untried`: it was not asked for, as the one before failed for all, or its user stopped. */
export type Outcome =
  | {
      poRef: string;
      state: 'done';
      status: string;
      statusZh: string;
      statusId: number;
      version: number;
      autoApproved: boolean;
    }
  | { poRef: string; state: 'failed'; message: string; requestId: string | null; isStale: boolean }
  | { poRef: string; state: 'untried' };

/** So many at once: few enough that one sees it go on. The API takes a hundred. */
export const TOGETHER = 20;

/** Orders that are asked for at once. Sent again with its key, a part whose answer was lost has no second effect. */
export interface Part {
  items: BatchItem[];
  key: string;
}

export function partsOf(targets: readonly Target[], action: Action, comment: string): Part[] {
  const items = targets.map(({ poRef, version }) => ({ poRef, version, action, ...(comment !== '' && { comment }) }));
  return Array.from({ length: Math.ceil(items.length / TOGETHER) }, (_, at) => ({
    items: items.slice(at * TOGETHER, (at + 1) * TOGETHER),
    key: newKey(),
  }));
}

/** What a run tells, and what ends it between two parts: what was begun is not broken off. */
interface BulkRun extends Patience {
  tell: (outcomes: Outcome[]) => void;
  reasonOf: (error: unknown) => string;
}

/**
 * Sends one part after the other, as fast as the API takes them, and tells each part's outcomes. What the API does not answer for ends it.
 * Resolves with the parts that have to be sent again as they are, because what was done of them is not known, or nothing was yet.
 */
export async function runBulk(
  parts: readonly Part[],
  send: (part: Part) => Promise<BatchAnswer>,
  run: BulkRun,
): Promise<Part[]> {
  const { tell, reasonOf, signal } = run;
  const left: Part[] = [];
  for (const [at, part] of parts.entries()) {
    try {
      if (signal.aborted) throw new Stopped('stopped between two parts');
      // oxlint-disable-next-line eslint/no-await-in-loop -- each order counts as a write: above the rate limit the next part has to wait
      const { results } = await patiently(() => send(part), run);
      tell(results.map(outcomeOf));
      if (results.some(({ status }) => status >= 500)) left.push(part);
    } catch (error) {
      const untried = parts.slice(at).flatMap(({ items }) => items);
      if (!(error instanceof Stopped)) {
        const requestId = error instanceof ApiProblem ? error.requestId : null;
        const message = reasonOf(error);
        const failed = untried.splice(0, part.items.length);
        tell(failed.map(({ poRef }) => ({ poRef, state: 'failed', isStale: false, message, requestId })));
      }
      tell(untried.map(({ poRef }) => ({ poRef, state: 'untried' })));
      return [...left, ...parts.slice(at)];
    }
  }
  return left;
}

function outcomeOf(result: BatchAnswer['results'][number]): Outcome {
  const { poRef, status, newStatusId, newStatus, newStatusZh, version, autoApproved, problem } = result;
  if (newStatusId !== null && newStatus !== null && newStatusZh !== null && version !== null) {
    return {
      poRef,
      state: 'done',
      statusId: newStatusId,
      status: newStatus,
      statusZh: newStatusZh,
      version,
      autoApproved: autoApproved === true,
    };
  }
  const { message = String(status), requestId = null } = problem ?? {};
  return { poRef, state: 'failed', message, requestId, isStale: status === 412 };
}

/** With what became of these orders since. What was done stays so, also where it is asked for again with others and has no answer. */
export const withOutcomes = (known: ReadonlyMap<string, Outcome>, outcomes: readonly Outcome[]): Map<string, Outcome> =>
  new Map([
    ...known,
    ...outcomes
      .filter(({ poRef }) => known.get(poRef)?.state !== 'done')
      .map((outcome): [string, Outcome] => [outcome.poRef, outcome]),
  ]);

/** How many orders no person had to approve. */
export const automatic = (known: ReadonlyMap<string, Outcome>): number =>
  [...known.values()].filter((outcome) => outcome.state === 'done' && outcome.autoApproved).length;

export const undone = (known: ReadonlyMap<string, Outcome>): Outcome[] =>
  [...known.values()].filter(({ state }) => state !== 'done');

/** Those that may be tried again. An order that changed since its user saw it is to be looked at first. */
export const repeatable = (known: ReadonlyMap<string, Outcome>): Outcome[] =>
  undone(known).filter((outcome) => !(outcome.state === 'failed' && outcome.isStale));
