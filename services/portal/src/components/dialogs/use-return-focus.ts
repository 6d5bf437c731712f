import { useDidUpdate } from '@mantine/hooks';
import { useEffect } from 'react';

/** On unmount, returns the focus to where it was before, or to the page if that element is gone. Does not take it from another element. */
export function useReturnFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (document.activeElement !== document.body) return;
      const place =
        before?.isConnected === true && before !== document.body ? before : document.getElementById('content');
      if (place instanceof HTMLElement) place.focus();
    };
  }, []);
}

/** Moves the focus to the page if the focused element disappears when `shown` changes, so that the next element is one Tab away. */
export function useFocusFallback(shown: string): void {
  useDidUpdate(() => {
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
  }, [shown]);
}
