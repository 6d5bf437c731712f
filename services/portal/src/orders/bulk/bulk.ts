import { ApiProblem } from '@po/client';
import type { Action } from '../../api/schemas.js';
import type { BatchAnswer, BatchItem } from '../../api/writes.js';

/** An order that something is done to, in the version that its user looked at. */
export interface Target {
  poRef: string;
  version: number;
}

/** How it ended for one order. `untried`: it was not asked for, as the one before failed for all. */
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

export interface Bulk {
  targets: readonly Target[];
  action: Action;
  comment: string;
}

/** Does it to one part after the other and tells each part's outcomes. What the API does not answer for ends it. */
export async function runBulk(
  { targets, action, comment }: Bulk,
  send: (items: BatchItem[]) => Promise<BatchAnswer>,
  tell: (outcomes: Outcome[]) => void,
): Promise<void> {
  for (let from = 0; from < targets.length; from += TOGETHER) {
    const part = targets.slice(from, from + TOGETHER);
    const items = part.map(({ poRef, version }) => ({ poRef, version, action, ...(comment !== '' && { comment }) }));
    try {
      // oxlint-disable-next-line eslint/no-await-in-loop -- one after the other is what keeps below the rate limit
      const { results } = await send(items);
      tell(results.map(outcomeOf));
    } catch (error) {
      tell(part.map(({ poRef }) => failedBy(poRef, error)));
      tell(targets.slice(from + TOGETHER).map(({ poRef }) => ({ poRef, state: 'untried' })));
      return;
    }
  }
}

function outcomeOf({
  poRef,
  status,
  newStatusId,
  newStatus,
  newStatusZh,
  version,
  autoApproved,
  problem,
}: BatchAnswer['results'][number]): Outcome {
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

const failedBy = (poRef: string, error: unknown): Outcome => ({
  poRef,
  state: 'failed',
  isStale: false,
  message: error instanceof Error ? error.message : String(error),
  requestId: error instanceof ApiProblem ? error.requestId : null,
});

/** With what became of these orders since. */
export const withOutcomes = (known: ReadonlyMap<string, Outcome>, outcomes: readonly Outcome[]): Map<string, Outcome> =>
  new Map([...known, ...outcomes.map((outcome): [string, Outcome] => [outcome.poRef, outcome])]);

/** How many orders no person had to approve. */
export const automatic = (known: ReadonlyMap<string, Outcome>): number =>
  [...known.values()].filter((outcome) => outcome.state === 'done' && outcome.autoApproved).length;

/** Orders that it was not done for. */
export const undone = (known: ReadonlyMap<string, Outcome>): Outcome[] =>
  [...known.values()].filter(({ state }) => state !== 'done');

/** Those that may be tried again. What is accepted is what was seen: an order that changed since is to be looked at first. */
export const repeatable = (known: ReadonlyMap<string, Outcome>, isAcceptance: boolean): Outcome[] =>
  undone(known).filter((outcome) => !(isAcceptance && outcome.state === 'failed' && outcome.isStale));
