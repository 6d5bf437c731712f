import { Checkbox, Tooltip } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { type MouseEvent, memo } from 'react';
import type { OrderSummary } from '../../api/schemas.js';
import { useTexts } from '../../language/language.js';
import table from '../../theme/table.module.css';
import type { Cells } from '../columns/column-cells.js';
import { COLUMNS, type ColumnId } from '../columns/columns.js';
import { ORDERS } from '../texts.js';
import { AcceptButton } from './accept-button.js';
import classes from './list.module.css';

const CONTROLS = 'a, button, input, label';

/** What one does with a row; the same functions as long as the page is, for rows to be painted only where they change. */
export interface RowActs {
  /** `further`: all from the one that was selected last. */
  select: (poRef: string, further: boolean) => void;
  open: (poRef: string) => void;
  setCursor: (poRef: string) => void;
  accept: (order: OrderSummary) => void;
}

interface Props extends RowActs {
  order: OrderSummary;
  columns: readonly ColumnId[];
  cells: Cells;
  isPicked: boolean;
  isMarked: boolean;
  isCursor: boolean;
  /** Where Tab comes to among the rows. */
  isStop: boolean;
  /** Null: no row of the page can be accepted as ordered. */
  canAccept: boolean | null;
}

/** A page has two hundred of them, and one moves over them with a key that is held down. */
export const OrdersRow = memo(function OrdersRow(props: Props) {
  const { order, columns, cells, isPicked, isMarked, isCursor, isStop, canAccept } = props;
  const { select, open, setCursor, accept } = props;
  const texts = useTexts(ORDERS);
  const { poRef, poNumber } = order;
  const click = (event: MouseEvent) => {
    // Links do what they do elsewhere, and a text that is marked is to be copied.
    if ((event.target as Element).closest(CONTROLS) !== null || getSelection()?.type === 'Range') return;
    if (event.shiftKey || event.ctrlKey || event.metaKey) select(poRef, event.shiftKey);
    else open(poRef);
  };
  return (
    <tr
      className={`${table.row} ${classes.row}`}
      data-order={poRef}
      data-picked={isPicked || undefined}
      data-cursor={isCursor || undefined}
      data-changed={isMarked || undefined}
      tabIndex={isStop ? 0 : -1}
      onFocus={() => !isCursor && setCursor(poRef)}
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={click}
    >
      <td className={classes.check}>
        <Checkbox
          size="xs"
          tabIndex={-1}
          aria-label={texts.select(poNumber)}
          checked={isPicked}
          onChange={({ nativeEvent }) => select(poRef, (nativeEvent as PointerEvent).shiftKey)}
        />
      </td>
      {columns.map((id) => (
        <td key={id} className={COLUMNS[id].isNumber ? table.number : undefined}>
          {cells[id](order)}
          {isMarked && id === 'poNumber' && <ChangedMark />}
        </td>
      ))}
      {canAccept !== null && (
        <td className={classes.act}>{canAccept && <AcceptButton isShort order={order} accept={accept} />}</td>
      )}
    </tr>
  );
});

/** Somebody else changed it while one looked on. */
export function ChangedMark() {
  const texts = useTexts(ORDERS);
  return (
    <Tooltip label={texts.changed}>
      <span className={classes.changed} role="img" aria-label={texts.changed} />
    </Tooltip>
  );
}
