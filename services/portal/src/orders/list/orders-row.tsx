import { Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { type MouseEvent, memo } from 'react';
import type { OrderSummary } from '../../api/schemas.js';
import { useTexts } from '../../language/language.js';
import table from '../../theme/table.module.css';
import type { Cells } from '../columns/column-cells.js';
import { COLUMNS, type ColumnId } from '../columns/columns.js';
import { TouchTooltip } from '../../components/touch-tooltip.js';
import { ORDERS } from '../texts.js';
import { AcceptButton } from './accept-button.js';
import classes from './list.module.css';

/** An image is touched to see its name. */
const CONTROLS = 'a, button, input, label, [role=img]';

/** Callbacks of a row. Their identity is stable, so that only changed rows render again. */
export interface RowCallbacks {
  /** `further`: extends the selection from the row that was selected last. */
  select: (poRef: string, further: boolean) => void;
  open: (poRef: string) => void;
  setCursor: (poRef: string) => void;
  accept: (order: OrderSummary) => void;
}

interface Props extends RowCallbacks {
  order: OrderSummary;
  columns: readonly ColumnId[];
  cells: Cells;
  isPicked: boolean;
  isMarked: boolean;
  isCursor: boolean;
  /** The only row that Tab reaches. */
  isStop: boolean;
  /** Null if no row of the page can be accepted as ordered. */
  canAccept: boolean | null;
}

/** Memoized: a page has up to 200 rows, and a held-down key moves the cursor through them. */
export const OrdersRow = memo(function OrdersRow(props: Props) {
  const { order, columns, cells, isPicked, isMarked, isCursor, isStop, canAccept } = props;
  const { select, open, setCursor, accept } = props;
  const texts = useTexts(ORDERS);
  const { poRef, poNumber } = order;
  const click = (event: MouseEvent) => {
    const target = event.target as Element;
    // Links keep their usual behavior, and selected text stays selected for copying.
    if (target.closest(CONTROLS) !== null || getSelection()?.type === 'Range') return;
    const isBesideCheckbox = target.closest('td:first-child') !== null;
    if (isBesideCheckbox || event.shiftKey || event.ctrlKey || event.metaKey) select(poRef, event.shiftKey);
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
        <td className={classes.actionColumn}>{canAccept && <AcceptButton isShort order={order} accept={accept} />}</td>
      )}
    </tr>
  );
});

/** Mark of a row that changed while it was shown. */
export function ChangedMark() {
  const texts = useTexts(ORDERS);
  return (
    <TouchTooltip label={texts.changed}>
      <span data-dot className={classes.changed} role="img" aria-label={texts.changed} />
    </TouchTooltip>
  );
}
