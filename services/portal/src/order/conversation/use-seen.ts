import { useDocumentVisibility, useInViewport } from '@mantine/hooks';
import { type RefCallback, useEffect, useState } from 'react';
import { useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { useStored } from '../../storage/use-stored.js';
import { readSeen, seenOf, withSeen } from './seen.js';

interface Visit {
  seen: string | null;
  before: string | null;
  top: RefCallback<HTMLDivElement>;
}

/**
 * Times up to which the user has seen an order: `seen` now, `before` before this visit; both null before the first visit. The newest item
 * counts as seen once its position `top` is on the screen. A visit ends when the page is hidden.
 */
export function useSeen(poRef: string, newest: string | null): Visit {
  const [stored, change] = useStored('seen', readSeen);
  const seen = seenOf(stored, poRef);
  const [before, setBefore] = useState(seen);
  const isShown = useDocumentVisibility() === 'visible';
  const { ref: top, inViewport } = useInViewport<HTMLDivElement>();
  const isSeen = isShown && inViewport;
  useEffect(() => {
    if (isSeen && newest !== null) change((now) => withSeen(now, poRef, newest));
    // oxlint-disable-next-line react/exhaustive-deps -- `change` is a new function on each render
  }, [isSeen, newest, poRef]);
  const [wasShown, setWasShown] = useState(isShown);
  if (wasShown !== isShown) {
    setWasShown(isShown);
    if (!isShown) setBefore(seen);
  }
  return { seen, before, top };
}

const COUNTED = /^\(\d+\) /;

export function useCountInTitle(count: number): void {
  const { product } = useTexts(TERMS);
  useEffect(() => {
    const title = document.title.replace(COUNTED, '');
    document.title = count > 0 ? `(${count}) ${title}` : title;
    return () => {
      document.title = document.title.replace(COUNTED, '');
    };
    // The page sets its title again after a change of language.
  }, [count, product]);
}
