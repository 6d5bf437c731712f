import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import classes from './matrix.module.css';

/** A cell that is being typed into: what stands there at first, and what stood there before that. */
export interface Editing {
  start: string;
  before: string;
  /** Who types over a value, instead of changing it, goes on to another cell with the arrows. */
  over: boolean;
}

/** Given up: it is not taken when it is left. */
const CANCELLED = 'cancelled';

/** The field of a cell: what is in it counts as soon as it is left, however that happens, but by Escape. */
export function CellEditor(props: { editing: Editing; label: string; onCommit: (text: string) => void }) {
  const { editing, label, onCommit } = props;
  const { start, before } = editing;
  const field = useRef<HTMLInputElement>(null);
  const committed = useRef(before);
  const commit = ({ value, dataset }: HTMLInputElement) => {
    if (dataset[CANCELLED] !== undefined) return;
    committed.current = value;
    onCommit(value);
  };
  const onRemoved = useEffectEvent((input: HTMLInputElement) => {
    if (input.value !== committed.current) commit(input);
  });
  useLayoutEffect(() => {
    const input = field.current;
    // React reports no blur of a field that it removes, as when somebody goes back to the list.
    return () => queueMicrotask(() => input?.isConnected === false && onRemoved(input));
  }, []);
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(start.length, start.length);
  }, [start]);
  return (
    <input
      ref={field}
      className={classes.editor}
      data-held
      defaultValue={start}
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      onKeyDown={({ key, currentTarget, nativeEvent }) => {
        // Of an input method it closes the suggestions, not the field.
        if (key === 'Escape' && !nativeEvent.isComposing) currentTarget.dataset[CANCELLED] = '';
      }}
      onBlur={({ currentTarget }) => {
        if (currentTarget.value !== before || committed.current !== before) commit(currentTarget);
      }}
    />
  );
}
