import { ApiProblem, type components, newKey, type operations } from '@po/client';
import { type RetryControl, StoppedError, retryRateLimited } from '../../api/retry-rate-limited.js';
import type { Action, OrderSummary } from '../../api/schemas.js';

export type BatchItem = operations['executeTransitions']['requestBody']['content']['application/json']['items'][number];
export type BatchAnswer = components['schemas']['TransitionsResult'];

/** An order to change, with the version that the user saw. */
export type Target = Pick<OrderSummary, 'poRef' | 'version'>;

/** Result for one order. `untried`: not sent, because an earlier batch failed as a whole or the user stopped. */
export type Outcome =
  | {
      poRef: string;
      state: 'done';
      status: string;
      statusZh: string;
      statusId: number;
      autoApproved: boolean;
    }
  | { poRef: string; state: 'failed'; message: string; requestId: string | null; isStale: boolean }
  | { poRef: string; state: 'untried' };

/** Orders per request: small enough for visible progress. The API accepts 100. */
export const BATCH_SIZE = 20;

/** Orders of one request. Repeating it with its key after a lost answer has no second effect. */
export interface Batch {
  items: BatchItem[];
  key: string;
}

export function batchesOf(targets: readonly Target[], action: Action, comment: string): Batch[] {
  const items = targets.map(({ poRef, version }) => ({ poRef, version, action, ...(comment !== '' && { comment }) }));
  return Array.from({ length: Math.ceil(items.length / BATCH_SIZE) }, (_, at) => ({
    items: items.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
    key: newKey(),
  }));
}

/** Callbacks of a run, and the signal that ends it between two batches; a request in progress is not aborted. */
interface BulkRun extends RetryControl {
  report: (outcomes: Outcome[]) => void;
  reasonOf: (error: unknown) => string;
}

/**
 * Sends the batches one after another, as fast as the API accepts them, and reports the outcomes of each. A batch without an answer ends
 * the run. Resolves with the batches to send again unchanged, because their outcome is unknown or they were not sent.
 */
export async function runBulk(
  batches: readonly Batch[],
  send: (batch: Batch) => Promise<BatchAnswer>,
  run: BulkRun,
): Promise<Batch[]> {
  const { report, reasonOf, signal } = run;
  const left: Batch[] = [];
  for (const [at, batch] of batches.entries()) {
    try {
      if (signal.aborted) throw new StoppedError('stopped between two batches');
      // oxlint-disable-next-line eslint/no-await-in-loop -- each order counts as a write: above the rate limit the next batch has to wait
      const { results } = await retryRateLimited(() => send(batch), run);
      report(results.map(outcomeOf));
      if (results.some(isUnknown)) left.push(batch);
    } catch (error) {
      const untried = batches.slice(at).flatMap(({ items }) => items);
      if (!(error instanceof StoppedError)) {
        const requestId = error instanceof ApiProblem ? error.requestId : null;
        const message = reasonOf(error);
        const failed = untried.splice(0, batch.items.length);
        report(failed.map(({ poRef }) => ({ poRef, state: 'failed', isStale: false, message, requestId })));
      }
      report(untried.map(({ poRef }) => ({ poRef, state: 'untried' })));
      return [...left, ...batches.slice(at)];
    }
  }
  return left;
}

/** Whether an order may still change: there is no answer yet, or an earlier request with the same key still runs. */
const isUnknown = ({ status, problem }: BatchAnswer['results'][number]): boolean =>
  status >= 500 || problem?.code === 'IDEMPOTENCY_IN_PROGRESS';

function outcomeOf(result: BatchAnswer['results'][number]): Outcome {
  const { poRef, status, newStatusId, newStatus, newStatusZh, autoApproved, problem } = result;
  if (newStatusId !== null && newStatus !== null && newStatusZh !== null) {
    return {
      poRef,
      state: 'done',
      statusId: newStatusId,
      status: newStatus,
      statusZh: newStatusZh,
      autoApproved: autoApproved === true,
    };
  }
  const { message = String(status), requestId = null } = problem ?? {};
  return { poRef, state: 'failed', message, requestId, isStale: status === 412 };
}

/** Merges new outcomes. A done order stays done, even if a repeated request for its batch gets no answer. */
export const withOutcomes = (known: ReadonlyMap<string, Outcome>, outcomes: readonly Outcome[]): Map<string, Outcome> =>
  new Map([
    ...known,
    ...outcomes
      .filter(({ poRef }) => known.get(poRef)?.state !== 'done')
      .map((outcome): [string, Outcome] => [outcome.poRef, outcome]),
  ]);

/** Number of orders that a policy approved automatically. */
export const autoApprovedCount = (known: ReadonlyMap<string, Outcome>): number =>
  [...known.values()].filter((outcome) => outcome.state === 'done' && outcome.autoApproved).length;

export const notDone = (known: ReadonlyMap<string, Outcome>): Outcome[] =>
  [...known.values()].filter(({ state }) => state !== 'done');

/** Orders that can be retried. An order that changed since the user saw it must be reviewed first. */
export const retryable = (known: ReadonlyMap<string, Outcome>): Outcome[] =>
  notDone(known).filter((outcome) => !(outcome.state === 'failed' && outcome.isStale));
