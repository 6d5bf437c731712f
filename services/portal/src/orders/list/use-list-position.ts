import { useLocation } from '@tanstack/react-router';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { TextStorage } from '../../storage/text-storage.js';
import { useStorageKey } from '../../storage/use-stored.js';
import { START, type ListPosition, positionOf, withPosition } from './list-position.js';
import { type Selection, within } from './selection.js';

/** Cursor and selection of the list, restored by the back button and after a reload. */
export function useListPosition(rows: readonly string[], scroller: RefObject<HTMLElement | null>) {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const name = useStorageKey('orders.places');
  const [restored, setRestored] = useState(() => restore(name, entry));
  if (restored.entry !== entry) setRestored(restore(name, entry));
  const latest = useRef(restored);
  const top = useRef(restored.top);
  useLayoutEffect(() => {
    // Another history entry does not take over the offset of the previous one.
    if (latest.current.entry !== restored.entry) top.current = restored.top;
    latest.current = restored;
    store(name, restored, top.current);
  }, [name, restored]);

  // Cached rows are there at once, others after they load.
  const hasRows = rows.length > 0;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!hasRows || !element) return;
    top.current = restore(name, entry).top;
    element.scrollTo({ top: top.current, behavior: 'instant' });
    const remember = () => {
      top.current = element.scrollTop;
    };
    const leave = () => store(name, latest.current, top.current);
    element.addEventListener('scroll', remember, { passive: true });
    window.addEventListener('pagehide', leave);
    return () => {
      element.removeEventListener('scroll', remember);
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [name, entry, hasRows, scroller]);

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
  entry: string;
  cursor: string | null;
  selection: Selection;
  top: number;
}

// Stored per tab and user, so that the next user who signs in in this tab starts without a position.
const positions = new TextStorage(() => sessionStorage);

function restore(name: string, entry: string): RestoredList {
  const { cursor, picked, top } = positionOf(positions.get(name), entry) ?? START;
  return { entry, cursor, selection: { picked: new Set(picked), anchor: cursor }, top };
}

function store(name: string, { entry, cursor, selection }: RestoredList, top: number): void {
  const position: ListPosition = { cursor, picked: [...selection.picked], top };
  positions.set(name, withPosition(positions.get(name), entry, position));
}
