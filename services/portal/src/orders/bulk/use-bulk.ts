import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../api/api.js';
import { KEYS } from '../../api/keys.js';
import type { Action } from '../../api/schemas.js';
import { reasonOf } from '../../components/loading-and-errors/problem-kind.js';
import { STATES } from '../../components/loading-and-errors/texts.js';
import { useTexts } from '../../language/language.js';
import { type Outcome, type Batch, type Target, batchesOf, retryable, runBulk, withOutcomes } from './bulk.js';

/** Applies an action to many orders, and retries failed ones. */
export function useBulk(orders: readonly Target[], action: Action) {
  const { client } = useApi();
  const cache = useQueryClient();
  const states = useTexts(STATES);
  const [phase, setPhase] = useState<'confirming' | 'running' | 'ended'>('confirming');
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  /** End of the rate-limit wait (epoch milliseconds); null while there is none. */
  const [waitUntil, setWaitUntil] = useState<number | null>(null);
  /** Batches of the last run to send again unchanged. */
  const left = useRef<Batch[]>([]);
  const stopper = useRef<AbortController>(undefined);
  useEffect(() => () => stopper.current?.abort(), []);

  const run = async (batches: readonly Batch[]) => {
    const { signal } = (stopper.current = new AbortController());
    const send = async ({ items, key }: Batch) =>
      (await client.POST('/purchase-orders/transitions', { headers: { 'Idempotency-Key': key }, body: { items } }))
        .data;
    left.current = await runBulk(batches, send, {
      report: (latest) => setOutcomes((known) => withOutcomes(known, latest)),
      reasonOf: (error) => reasonOf(error, states),
      onWait: (seconds) => setWaitUntil(seconds === null ? null : Date.now() + seconds * 1000),
      signal,
    });
    setPhase('ended');
    await cache.invalidateQueries({ queryKey: KEYS.dashboard });
    const refs = batches.flatMap(({ items }) => items.map(({ poRef }) => poRef));
    for (const poRef of refs) void cache.invalidateQueries({ queryKey: KEYS.orderAll(poRef) });
  };

  return {
    phase,
    outcomes,
    waitUntil,
    stop: () => stopper.current?.abort(),
    start: async (comment: string) => {
      setPhase('running');
      await run(batchesOf(orders, action, comment));
    },
    retry: async (comment: string) => {
      const refs = new Set(retryable(outcomes).map(({ poRef }) => poRef));
      setPhase('running');
      setOutcomes(new Map([...outcomes].filter(([poRef]) => !refs.has(poRef))));
      const unchanged = left.current;
      for (const { poRef } of unchanged.flatMap(({ items }) => items)) refs.delete(poRef);
      const others = orders.filter(({ poRef }) => refs.has(poRef));
      await run([...unchanged, ...batchesOf(others, action, comment)]);
    },
  };
}
