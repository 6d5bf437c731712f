import { createSafeContext } from '@mantine/core';
import type { StreamEvent } from '@po/client';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useApi } from '../api.js';
import { LiveCache } from './live-cache.js';
import { followShared } from './shared-stream.js';

type Listener = (event: StreamEvent) => void;

interface Live {
  /** Null until the state is known. */
  connected: boolean | null;
  /** Calls `listener` with every live event, before the cache applies it. Returns the function that unsubscribes. */
  subscribe: (listener: Listener) => () => void;
}

const [LiveContext, useLive] = createSafeContext<Live>('no LiveProvider above');
export { useLive };

/**
 * Follows the user's live stream and keeps the cache up to date. `isOpen`: whether the session is open. A tab whose session has ended
 * must release the lock, or it would keep tabs that have a token from reading the stream.
 */
export function LiveProvider({ user, isOpen, children }: { user: string; isOpen: boolean; children: ReactNode }) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [connected, setConnected] = useState<boolean | null>(null);
  const [listeners] = useState(() => new Set<Listener>());
  /** The stream was followed before, and changes since then sent no event to this tab. */
  const missed = useRef(false);
  useEffect(() => {
    if (!isOpen) return;
    const live = new LiveCache(cache, queries);
    let wasOpen = false;
    const stop = followShared(client, user, {
      take: (event) => {
        for (const listener of listeners) listener(event);
        live.take(event);
      },
      connection: (now, again) => {
        setConnected(now);
        if (!now) return;
        if (again || missed.current) live.refreshAll();
        // Only once: all tabs hear the answer whenever a new tab asks for the state.
        else if (!wasOpen) live.refreshEarlierReads();
        wasOpen = true;
        missed.current = false;
      },
    });
    return () => {
      stop();
      live.stop();
      missed.current = true;
      setConnected(false);
    };
  }, [client, queries, cache, user, isOpen, listeners]);
  const subscribe = useCallback(
    (listener: Listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    [listeners],
  );
  const live = useMemo<Live>(() => ({ connected, subscribe }), [connected, subscribe]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

/** Calls `listener` with every live event while the component is mounted. */
export function useLiveEvents(listener: Listener): void {
  const { subscribe } = useLive();
  const onEvent = useEffectEvent(listener);
  useEffect(() => subscribe((event) => onEvent(event)), [subscribe]);
}
