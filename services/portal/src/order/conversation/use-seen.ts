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
 * What of an order was seen: `seen` by now, `before` until this visit, both null before the first one. `top` is where the newest item
 * stands: it counts as seen once that is on the screen. A visit ends when the page is hidden.
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
    // oxlint-disable-next-line react/exhaustive-deps -- `change` is another one each time
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
    // The page writes its title anew in another language.
  }, [count, product]);
}
