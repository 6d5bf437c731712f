import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useSession } from '../session/session-context.js';
import { TextStorage, storageKey } from './text-storage.js';

export const TEXTS = new TextStorage(() => localStorage);
TEXTS.forgetOldDrafts();
// Other tabs tell by it.
addEventListener('storage', TEXTS.notify);

function useUser(): string {
  const { state } = useSession();
  return 'profile' in state ? (state.profile?.id ?? '') : '';
}

/** Where this browser keeps something of the user; `what` tells apart what that is. */
export const useStorageKey = (...what: string[]): string => storageKey(useUser(), what);

export const useStoredText = (name: string): string => useSyncExternalStore(TEXTS.subscribe, () => TEXTS.get(name));

/** Those of these orders to whose head or lines the user typed what is not saved yet. */
export function useUnsavedOrders(refs: readonly string[]): ReadonlySet<string> {
  const user = useUser();
  const isUnsaved = (ref: string) =>
    ['head', 'cells'].some((part) => TEXTS.get(storageKey(user, ['order', ref, part])) !== '');
  const unsaved = useSyncExternalStore(TEXTS.subscribe, () => refs.filter(isUnsaved).join());
  return new Set(unsaved.split(','));
}

/**
 * Something that is kept for the user, and what changes it: with what is kept then, also by another tab, and also once the component is
 * gone. `read`: of what is stored, whoever wrote it; the same function each time.
 */
export function useStored<T>(what: string, read: (stored: string | null) => T): [T, (change: (now: T) => T) => void] {
  const name = useStorageKey(what);
  const text = useStoredText(name);
  const value = useMemo(() => read(text || null), [read, text]);
  return [value, (change) => TEXTS.set(name, JSON.stringify(change(read(TEXTS.get(name) || null))))];
}

/** Whether the browser has no room for what is typed: it asks then before the page is left. */
export function useIsStorageFull(): boolean {
  const isFull = useSyncExternalStore(TEXTS.subscribe, TEXTS.isFull);
  useEffect(() => {
    if (!isFull) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isFull]);
  return isFull;
}
