import { useDidUpdate } from '@mantine/hooks';
import { useEffect } from 'react';

/** Whoever leaves a dialog goes on where they were before it, or in the page where that is gone; not where they were led elsewhere. */
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

/** What had the focus may go when this changes, also by others: the content has it then, what comes next is one key away. */
export function useFocusKept(shown: string): void {
  useDidUpdate(() => {
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
  }, [shown]);
}
