import { createSafeContext } from '@mantine/core';
import type { StreamEvent } from '@po/client';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useApi } from '../api.js';
import { LiveCache } from './live-cache.js';
import { followShared } from './shared-stream.js';

type Listener = (event: StreamEvent) => void;

interface Live {
  /** Null until it is known. */
  connected: boolean | null;
  /** Called with everything that the stream tells, before the cache has taken it. Returns what ends that. */
  subscribe: (listener: Listener) => () => void;
}

const [LiveContext, useLive] = createSafeContext<Live>('no LiveProvider above');
export { useLive };

/**
 * Follows the live stream of this user for everything below, and keeps the cache up to date by it. `isOpen`: the session. A tab whose
 * session has ended would hold the lock, and keep tabs that have a token from reading the stream.
 */
export function LiveProvider({ user, isOpen, children }: { user: string; isOpen: boolean; children: ReactNode }) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [connected, setConnected] = useState<boolean | null>(null);
  const [listeners] = useState(() => new Set<Listener>());
  /** It was followed before, and what changed since was not told. */
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
        // Not each time that another tab asks how it is, which all of them hear.
        else if (!wasOpen) live.refreshAsked();
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

/** Calls `listener` with what the live stream tells, while the component is there. */
export function useLiveEvents(listener: Listener): void {
  const { subscribe } = useLive();
  const onEvent = useEffectEvent(listener);
  useEffect(() => subscribe((event) => onEvent(event)), [subscribe]);
}
