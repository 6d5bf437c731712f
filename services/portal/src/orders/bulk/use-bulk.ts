import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.js';
import { KEYS } from '../../api/keys.js';
import type { Action } from '../../api/schemas.js';
import { type Outcome, type Target, repeatable, runBulk, withOutcomes } from './bulk.js';

/** Does an action for many orders, and again for those that it failed for. */
export function useBulk(orders: readonly Target[], action: Action, isAcceptance: boolean) {
  const { queries, writes } = useApi();
  const cache = useQueryClient();
  const [phase, setPhase] = useState<'asked' | 'running' | 'ended'>('asked');
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());

  const run = async (targets: readonly Target[], comment: string) => {
    const tell = (told: Outcome[]) => setOutcomes((known) => withOutcomes(known, told));
    await runBulk({ targets, action, comment }, writes.transitionMany, tell);
    setPhase('ended');
    await cache.invalidateQueries({ queryKey: KEYS.dashboard });
    for (const { poRef } of targets) void cache.invalidateQueries({ queryKey: KEYS.orderAll(poRef) });
  };

  /** In the version that it has now, where it failed because that is another: its user has seen that. */
  const targetAgain = async (outcome: Outcome): Promise<Target> => {
    const known = orders.find(({ poRef }) => poRef === outcome.poRef)?.version ?? 1;
    const isStale = outcome.state === 'failed' && outcome.isStale;
    const order = isStale ? await cache.fetchQuery(queries.order(outcome.poRef)).catch(() => null) : null;
    return { poRef: outcome.poRef, version: order?.version ?? known };
  };

  return {
    phase,
    outcomes,
    start: async (comment: string) => {
      setPhase('running');
      await run(orders, comment);
    },
    retry: async (comment: string) => {
      const again = repeatable(outcomes, isAcceptance);
      const refs = new Set(again.map(({ poRef }) => poRef));
      setPhase('running');
      setOutcomes(new Map([...outcomes].filter(([poRef]) => !refs.has(poRef))));
      await run(await Promise.all(again.map(targetAgain)), comment);
    },
  };
}
