import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useSession } from '../session/session-context.js';
import { TextStorage, storageKey } from './text-storage.js';

export const TEXTS = new TextStorage(() => localStorage);
TEXTS.forgetOldDrafts();
// Fired on changes by other tabs.
addEventListener('storage', TEXTS.notify);

function useUser(): string {
  const { state } = useSession();
  return 'profile' in state ? (state.profile?.id ?? '') : '';
}

/** Storage key for the signed-in user and a purpose. */
export const useStorageKey = (...what: string[]): string => storageKey(useUser(), what);

export const useStoredText = (name: string): string => useSyncExternalStore(TEXTS.subscribe, () => TEXTS.get(name));

/** The given orders that have unsaved input of the user in header or lines. */
export function useUnsavedOrders(refs: readonly string[]): ReadonlySet<string> {
  const user = useUser();
  const isUnsaved = (ref: string) =>
    ['head', 'cells'].some((part) => TEXTS.get(storageKey(user, ['order', ref, part])) !== '');
  const unsaved = useSyncExternalStore(TEXTS.subscribe, () => refs.filter(isUnsaved).join());
  return new Set(unsaved.split(','));
}

/**
 * A stored value of the user, and its setter. The setter applies to the latest stored value, even if another tab wrote it, and works after
 * the component is unmounted. `read`: parses the stored text, which may come from anyone; must have a stable identity.
 */
export function useStored<T>(what: string, read: (stored: string | null) => T): [T, (change: (now: T) => T) => void] {
  const name = useStorageKey(what);
  const text = useStoredText(name);
  const value = useMemo(() => read(text || null), [read, text]);
  return [value, (change) => TEXTS.set(name, JSON.stringify(change(read(TEXTS.get(name) || null))))];
}

/** Whether the browser cannot store the typed text. In that case it asks for confirmation before the page is left. */
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
