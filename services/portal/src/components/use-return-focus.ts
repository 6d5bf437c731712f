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
