import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type Draft, EMPTY, type Slots, settle } from './draft.js';
import { openDraft } from './draft-store.js';
import { draftName } from './stored-draft.js';

export interface DraftUse {
  draft: Draft;
  change: (change: (draft: Draft) => Draft) => void;
  discard: () => void;
  /** The browser has no room to keep it. */
  full: boolean;
}

/** What a user typed into the lines of an order and did not save; kept by the browser as it is typed. */
export function useDraft(user: string, poRef: string, slots: Slots): DraftUse {
  const [full, setFull] = useState(false);
  const name = draftName(user, poRef);
  const store = useMemo(() => openDraft(localStorage, name, () => setFull(true)), [name]);
  const draft = useSyncExternalStore(store.subscribe, store.get);
  // Before it is painted: what was just saved would be marked as unsaved for a moment.
  useLayoutEffect(() => store.change((now) => settle(now, slots)), [store, slots]);
  useEffect(() => {
    const follow = ({ key }: StorageEvent) => {
      if (key === name || key === null) store.reload();
    };
    // What is being typed is taken into the draft when its field is left.
    const leave = () => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    };
    addEventListener('storage', follow);
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('storage', follow);
      removeEventListener('pagehide', leave);
    };
  }, [store, name]);
  return useMemo(
    () => ({ draft, change: store.change, discard: () => store.change(() => ({ ...EMPTY })), full }),
    [draft, store, full],
  );
}
