import { useElementScrollRestoration, useLocation } from '@tanstack/react-router';
import { type RefObject, useCallback, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react';
import { TextStorage, readList } from '../../storage/text-storage.js';
import { useStorageKey } from '../../storage/use-stored.js';
import { type Selection, within } from './selection.js';

/** Cursor, selection and scroll offset of the list, restored by the back button and after a reload. */
export function useListPosition(rows: readonly string[], scroller: RefObject<HTMLElement | null>) {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const name = useStorageKey('orders.place', entry);
  const [restored, setRestored] = useState(() => restore(name));
  if (restored.name !== name) setRestored(restore(name));
  useLayoutEffect(() => store(restored), [restored]);

  // The router stores the offset, but restores it only to rows that are there at once, not to rows that load later.
  const top = useElementScrollRestoration({ id: 'orders' })?.scrollY ?? 0;
  const scroll = useEffectEvent(() => {
    // A block body: `scrollTo` may return a promise, which React would take for a clean-up function.
    scroller.current?.scrollTo({ top, behavior: 'instant' });
  });
  useLayoutEffect(() => scroll(), []);

  const { cursor, selection } = restored;
  const setCursor = useCallback((next: string | null) => setRestored((present) => ({ ...present, cursor: next })), []);
  const setSelection = useCallback(
    (change: (present: Selection) => Selection) =>
      setRestored((present) => ({ ...present, selection: change(present.selection) })),
    [],
  );
  return {
    cursor: cursor !== null && rows.includes(cursor) ? cursor : null,
    picked: useMemo(() => within(selection, rows), [selection, rows]),
    setCursor,
    setSelection,
  };
}

interface RestoredList {
  /** Storage key of the user and history entry. */
  name: string;
  cursor: string | null;
  selection: Selection;
}

// Stored per tab and user, so that the next user who signs in in this tab starts without a position.
const positions = new TextStorage(() => sessionStorage);

function restore(name: string): RestoredList {
  const [cursor, ...picked] = (readList(positions.get(name)) ?? []).map(String);
  return { name, cursor: cursor || null, selection: { picked: new Set(picked), anchor: cursor || null } };
}

function store({ name, cursor, selection: { picked } }: RestoredList): void {
  positions.set(name, cursor === null && picked.size === 0 ? '' : JSON.stringify([cursor ?? '', ...picked]));
}
