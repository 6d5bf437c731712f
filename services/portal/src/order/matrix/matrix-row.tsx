import { VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import type { Edit } from '../draft/draft.js';
import { useFormats, useTexts } from '../../language/language.js';
import { CellEditor, type Editing } from './cell-editor.js';
import { CellValue } from './cell-value.js';
import type { Row, Slot, SlotKey } from '../lines/size-matrix.js';
import { MATRIX } from './texts.js';
import type { RowState } from './totals.js';
import type { Mark } from './use-matrix.js';
import classes from './matrix.module.css';

export interface RowProps {
  row: Row;
  index: number;
  ariaIndex: number;
  first: boolean;
  width: number;
  state: RowState;
  markOf: (slot: Slot, edit: Edit) => Mark;
  mayEdit: (slot: Slot | null) => boolean;
  /** Cells that others changed since the user saw them. */
  changedByOthers: ReadonlySet<SlotKey>;
  /** Cells of the message whose link was just followed. */
  highlighted: ReadonlySet<SlotKey>;
  /** Selected columns of the row; -1 for none. */
  left: number;
  right: number;
  /** Focused column, or -1; its open editor, and the name of the cell. */
  focus: number;
  editing: Editing | null;
  label: string;
  onCommit: ((slot: Slot, text: string) => void) | undefined;
}

export const MatrixRow = memo(function MatrixRow(props: RowProps) {
  const { row, index, ariaIndex, first, width, state } = props;
  const { totals } = state;
  const { quantity, amount } = useFormats();
  const texts = useTexts(MATRIX);
  return (
    <tr aria-rowindex={ariaIndex} className={classes.row}>
      <th scope="row" className={`${classes.style} ${first ? '' : classes.again}`} title={row.code} data-head={index}>
        {row.style}
      </th>
      <th scope="row" className={classes.color} title={row.color} data-head={index}>
        {row.color}
      </th>
      {Array.from({ length: width }, (_, column) => (
        <Cell key={row.sizes[column]?.key ?? column} {...props} column={column} slot={row.sizes[column] ?? null} />
      ))}
      <td className={classes.sum}>{quantity(totals.quantity)}</td>
      <Cell {...props} column={width} slot={row.price} />
      <td className={classes.sum} title={totals.rough ? texts.rough : undefined}>
        {totals.rough && '≈ '}
        {amount(totals.amount)}
      </td>
    </tr>
  );
});

function Cell(props: RowProps & { slot: Slot | null; column: number }) {
  const { slot, column, index, state, markOf, mayEdit, changedByOthers, highlighted } = props;
  const { left, right, focus, editing, label, onCommit } = props;
  const texts = useTexts(MATRIX);
  const edit = slot ? state.edits.get(slot.key) : undefined;
  const mark = slot && edit ? markOf(slot, edit) : null;
  const isNew = slot !== null && !edit && changedByOthers.has(slot.key);
  const selected = column >= left && column <= right;
  const focused = column === focus;
  return (
    <td
      data-row={index}
      data-column={column}
      data-editing={focused && editing !== null ? '' : undefined}
      data-unsaved={edit ? '' : undefined}
      data-mark={mark ?? undefined}
      data-new={isNew ? '' : undefined}
      data-highlighted={slot !== null && highlighted.has(slot.key) ? '' : undefined}
      tabIndex={focused ? 0 : -1}
      aria-selected={selected}
      aria-readonly={!mayEdit(slot)}
      aria-invalid={mark === 'wrong' || undefined}
      className={slot ? classes.cell : classes.gap}
    >
      {focused && editing !== null && slot ? (
        <CellEditor editing={editing} label={label} onCommit={(text) => onCommit?.(slot, text)} />
      ) : (
        slot && <CellValue slot={slot} edit={edit} wrong={mark === 'wrong'} />
      )}
      {edit && <VisuallyHidden>{texts.notSaved}</VisuallyHidden>}
      {isNew && <VisuallyHidden>{texts.newly}</VisuallyHidden>}
    </td>
  );
}
