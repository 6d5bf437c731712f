import { useSyncExternalStore } from 'react';
import { useSession } from '../../session/session-context.js';

/** What a browser does not keep, because it is full or must not, lives as long as the page. */
const unkept = new Map<string, string>();
const listeners = new Set<() => void>();

export const readKept = (key: string): string => unkept.get(key) ?? localStorage.getItem(key) ?? '';

/** Keeps a text until it is empty. */
export function keep(key: string, text: string): void {
  unkept.delete(key);
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    unkept.set(key, text);
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Other tabs tell by this one.
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** Where something is kept that this user typed in an order; `what` tells apart what is typed there. */
export function useDraftKey(poRef: string, what: string): string {
  const { state } = useSession();
  const user = 'profile' in state ? (state.profile?.id ?? '') : '';
  return `po.draft:${user}:${poRef}:${what}`;
}

/** A text that outlives the page, the same in all tabs; empty where none is kept. */
export const useKept = (key: string): string => useSyncExternalStore(subscribe, () => readKept(key));
