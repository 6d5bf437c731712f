import { useLayoutEffect, useRef } from 'react';
import { isComposing } from '../../components/forms/is-composing.js';
import { useRemovedField } from '../../components/forms/use-removed-field.js';
import classes from './matrix.module.css';

/** An open cell editor: its initial text, and the text of the cell before. */
export interface Editing {
  start: string;
  before: string;
  /** The user overwrites the value rather than changing it, so arrow keys move to another cell. */
  over: boolean;
}

/** Data attribute of a cancelled editor, whose text is not committed. */
const CANCELLED = 'cancelled';

/** Input of a cell. Its text is committed however the field is left, except by Escape. */
export function CellEditor(props: { editing: Editing; label: string; onCommit: (text: string) => void }) {
  const { editing, label, onCommit } = props;
  const { start, before } = editing;
  const committed = useRef(before);
  const commit = ({ value, dataset }: HTMLInputElement) => {
    if (dataset[CANCELLED] !== undefined) return;
    committed.current = value;
    onCommit(value);
  };
  const field = useRemovedField((input) => {
    if (input.value !== committed.current) commit(input);
  });
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(start.length, start.length);
  }, [field, start]);
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
        // During IME composition, Escape only closes the suggestions.
        if (key === 'Escape' && !isComposing(nativeEvent)) currentTarget.dataset[CANCELLED] = '';
      }}
      onBlur={({ currentTarget }) => {
        if (currentTarget.value !== before || committed.current !== before) commit(currentTarget);
      }}
    />
  );
}
