import { useLocation } from '@tanstack/react-router';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
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

  const { cursor, selection, cameBack } = kept;
  return {
    cursor: cursor !== null && rows.includes(cursor) ? cursor : null,
    selection,
    picked: within(selection, rows),
    /** This page was seen before, and is shown as it was. */
    cameBack,
    setCursor: (next: string | null) => setKept((present) => ({ ...present, cursor: next })),
    setSelection: (change: (present: Selection) => Selection) =>
      setKept((present) => ({ ...present, selection: change(present.selection) })),
  };
}

interface Kept {
  entry: string;
  cursor: string | null;
  selection: Selection;
  top: number;
  cameBack: boolean;
}

function begin(entry: string): Kept {
  const place = placeOf(sessionStorage.getItem(STORE), entry);
  const { cursor, picked, top } = place ?? BEGINNING;
  return { entry, cursor, selection: { picked: new Set(picked), anchor: cursor }, top, cameBack: place !== null };
}

function store({ entry, cursor, selection }: Kept, top: number): void {
  const place: Place = { cursor, picked: [...selection.picked], top };
  sessionStorage.setItem(STORE, withPlace(sessionStorage.getItem(STORE), entry, place));
}
