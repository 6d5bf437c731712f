import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react';

/**
 * Ref of a field that commits its text on blur. Calls `commit` when the field is removed, such as when the user returns to the list: React
 * fires no blur event then.
 */
export function useRemovedField(commit: (field: HTMLInputElement) => void): RefObject<HTMLInputElement | null> {
  const ref = useRef<HTMLInputElement>(null);
  const onRemoved = useEffectEvent(commit);
  useLayoutEffect(() => {
    const field = ref.current;
    return () => queueMicrotask(() => field?.isConnected === false && onRemoved(field));
  }, []);
  return ref;
}
