import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../api/api.js';
import { transitionMany } from '../../api/transitions.js';
import { KEYS } from '../../api/keys.js';
import type { Action } from '../../api/schemas.js';
import { reasonOf } from '../../components/loading-and-errors/problem-kind.js';
import { STATES } from '../../components/loading-and-errors/texts.js';
import { useTexts } from '../../language/language.js';
import { type Outcome, type Part, type Target, partsOf, repeatable, runBulk, withOutcomes } from './bulk.js';

/** Does an action for many orders, and again for those that it failed for. */
export function useBulk(orders: readonly Target[], action: Action) {
  const { client } = useApi();
  const cache = useQueryClient();
  const states = useTexts(STATES);
  const [phase, setPhase] = useState<'asked' | 'running' | 'ended'>('asked');
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  /** When it goes on (epoch milliseconds); null while it does. */
  const [restUntil, setRestUntil] = useState<number | null>(null);
  /** Of the last run, to be sent again as they are. */
  const left = useRef<Part[]>([]);
  const stopper = useRef<AbortController>(undefined);
  useEffect(() => () => stopper.current?.abort(), []);

  const run = async (parts: readonly Part[]) => {
    const { signal } = (stopper.current = new AbortController());
    left.current = await runBulk(parts, (part) => transitionMany(client, part), {
      tell: (told) => setOutcomes((known) => withOutcomes(known, told)),
      reasonOf: (error) => reasonOf(error, states),
      rest: (seconds) => setRestUntil(seconds === null ? null : Date.now() + seconds * 1000),
      signal,
    });
    setPhase('ended');
    await cache.invalidateQueries({ queryKey: KEYS.dashboard });
    const refs = parts.flatMap(({ items }) => items.map(({ poRef }) => poRef));
    for (const poRef of refs) void cache.invalidateQueries({ queryKey: KEYS.orderAll(poRef) });
  };

  return {
    phase,
    outcomes,
    restUntil,
    stop: () => stopper.current?.abort(),
    start: async (comment: string) => {
      setPhase('running');
      await run(partsOf(orders, action, comment));
    },
    retry: async (comment: string) => {
      const refs = new Set(repeatable(outcomes).map(({ poRef }) => poRef));
      setPhase('running');
      setOutcomes(new Map([...outcomes].filter(([poRef]) => !refs.has(poRef))));
      const asBefore = left.current;
      for (const { poRef } of asBefore.flatMap(({ items }) => items)) refs.delete(poRef);
      const anew = orders.filter(({ poRef }) => refs.has(poRef));
      await run([...asBefore, ...partsOf(anew, action, comment)]);
    },
  };
}
