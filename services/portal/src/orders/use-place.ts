import { useLocation } from '@tanstack/react-router';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { BEGINNING, type Place, placeOf, withPlace } from './place.js';
import { type Selection, within } from './selection.js';

const STORE = 'po.orders.places';

/** The cursor and the selection of the list that is shown, as Back and a reload bring them back. */
export function usePlace(rows: readonly string[], scroller: RefObject<HTMLElement | null>) {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const [kept, setKept] = useState(() => begin(entry));
  if (kept.entry !== entry) setKept(begin(entry));
  const latest = useRef(kept);
  const top = useRef(kept.top);
  useLayoutEffect(() => {
    latest.current = kept;
    store(kept, top.current);
  }, [kept]);

  // Rows are there at once where they were seen before, else when they come.
  const hasRows = rows.length > 0;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!hasRows || !element) return;
    top.current = begin(entry).top;
    element.scrollTo({ top: top.current, behavior: 'instant' });
    const remember = () => {
      top.current = element.scrollTop;
    };
    const leave = () => store(latest.current, top.current);
    element.addEventListener('scroll', remember, { passive: true });
    window.addEventListener('pagehide', leave);
    return () => {
      element.removeEventListener('scroll', remember);
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [entry, hasRows, scroller]);

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

function begin(entry: string): Kept {
  const { cursor, picked, top } = placeOf(sessionStorage.getItem(STORE), entry) ?? BEGINNING;
  return { entry, cursor, selection: { picked: new Set(picked), anchor: cursor }, top };
}

function store({ entry, cursor, selection }: Kept, top: number): void {
  const place: Place = { cursor, picked: [...selection.picked], top };
  sessionStorage.setItem(STORE, withPlace(sessionStorage.getItem(STORE), entry, place));
}
