import { useLocation } from '@tanstack/react-router';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useKeptName } from '../kept/use-kept.js';
import { BEGINNING, type Place, placeOf, withPlace } from './place.js';
import { type Selection, within } from './selection.js';

/** The cursor and the selection of the list that is shown, as Back and a reload bring them back. */
export function usePlace(rows: readonly string[], scroller: RefObject<HTMLElement | null>) {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const name = useKeptName('orders.places');
  const [kept, setKept] = useState(() => begin(name, entry));
  if (kept.entry !== entry) setKept(begin(name, entry));
  const latest = useRef(kept);
  const top = useRef(kept.top);
  useLayoutEffect(() => {
    latest.current = kept;
    store(name, kept, top.current);
  }, [name, kept]);

  // Rows are there at once where they were seen before, else when they come.
  const hasRows = rows.length > 0;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!hasRows || !element) return;
    top.current = begin(name, entry).top;
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

  const { cursor, selection } = kept;
  const setCursor = useCallback((next: string | null) => setKept((present) => ({ ...present, cursor: next })), []);
  const setSelection = useCallback(
    (change: (present: Selection) => Selection) =>
      setKept((present) => ({ ...present, selection: change(present.selection) })),
    [],
  );
  return {
    cursor: cursor !== null && rows.includes(cursor) ? cursor : null,
    picked: useMemo(() => within(selection, rows), [selection, rows]),
    setCursor,
    setSelection,
  };
}

interface Kept {
  entry: string;
  cursor: string | null;
  selection: Selection;
  top: number;
}

// In the tab's own storage, by user: whoever signs in next in this tab begins elsewhere.
function begin(name: string, entry: string): Kept {
  const { cursor, picked, top } = placeOf(sessionStorage.getItem(name), entry) ?? BEGINNING;
  return { entry, cursor, selection: { picked: new Set(picked), anchor: cursor }, top };
}

function store(name: string, { entry, cursor, selection }: Kept, top: number): void {
  const place: Place = { cursor, picked: [...selection.picked], top };
  sessionStorage.setItem(name, withPlace(sessionStorage.getItem(name), entry, place));
}
