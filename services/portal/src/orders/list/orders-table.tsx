import { Checkbox, type CheckboxProps, VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useMemo } from 'react';
import type { OrderSummary } from '../../api/schemas.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import table from '../../theme/table.module.css';
import { cellsOf } from '../columns/column-cells.js';
import { COLUMNS, type ColumnId } from '../columns/columns.js';
import { type OrdersSearch, sortedBy } from '../filters/search.js';
import { OrdersRow, type RowCallbacks } from './orders-row.js';
import { ORDERS } from '../texts.js';
import classes from './list.module.css';

/** Data and callbacks of the rows of a page. */
export interface Rows extends RowCallbacks {
  orders: OrderSummary[];
  cursor: string | null;
  picked: ReadonlySet<string>;
  /** Orders that others changed since they were loaded. */
  marked: ReadonlySet<string>;
  /** Orders that this user can accept as ordered. */
  acceptable: ReadonlySet<string>;
  scroller: RefObject<HTMLDivElement | null>;
  /** The orders belong to the previous URL, because the new page is still loading. */
  isOld: boolean;
  search: OrdersSearch;
  selectAll: () => void;
}

/** Selects all orders of the page, or none if all are selected. */
export function SelectAll({ rows, ...look }: { rows: Rows } & CheckboxProps) {
  const { orders, picked, selectAll } = rows;
  const texts = useTexts(ORDERS);
  const count = orders.filter(({ poRef }) => picked.has(poRef)).length;
  return (
    <Checkbox
      aria-label={texts.selectAll}
      checked={count > 0 && count === orders.length}
      indeterminate={count > 0 && count < orders.length}
      onChange={selectAll}
      {...look}
    />
  );
}

export function OrdersTable(props: Rows & { columns: readonly ColumnId[] }) {
  const { orders, cursor, picked, marked, acceptable, columns, search, isOld, scroller } = props;
  const { select, open, setCursor, accept } = props;
  const texts = useTexts(ORDERS);
  const terms = useTexts(TERMS);
  const formats = useFormats();
  const cells = useMemo(() => cellsOf(formats), [formats]);
  return (
    <div
      ref={scroller}
      data-scroll-restoration-id="orders"
      className={`${table.frame} ${classes.scroller}`}
      data-old={isOld || undefined}
    >
      <table ref={markHidden} className={table.table} aria-label={texts.list}>
        <thead className={classes.head}>
          <tr>
            <th scope="col" className={classes.check}>
              <SelectAll rows={props} size="xs" />
            </th>
            {columns.map((id) => (
              <HeaderCell key={id} id={id} search={search}>
                {COLUMNS[id].name(terms, texts)}
              </HeaderCell>
            ))}
            {acceptable.size > 0 && (
              <th scope="col" className={classes.actionColumn}>
                <VisuallyHidden>{terms.acceptAsOrdered}</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <OrdersRow
              key={order.poRef}
              isPicked={picked.has(order.poRef)}
              isMarked={marked.has(order.poRef)}
              isCursor={cursor === order.poRef}
              isStop={(cursor ?? orders[0]?.poRef) === order.poRef}
              canAccept={acceptable.size > 0 ? acceptable.has(order.poRef) : null}
              {...{ order, columns, cells, select, open, setCursor, accept }}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Sets `data-hides` on the scroll container while columns are hidden at its end. */
function markHidden(element: HTMLTableElement): (() => void) | undefined {
  const frame = element.parentElement;
  if (!frame) return undefined;
  const mark = () =>
    frame.toggleAttribute('data-hides', frame.scrollWidth - frame.clientWidth - Math.ceil(frame.scrollLeft) > 0);
  const observer = new ResizeObserver(mark);
  observer.observe(frame);
  observer.observe(element);
  frame.addEventListener('scroll', mark, { passive: true });
  return () => {
    observer.disconnect();
    frame.removeEventListener('scroll', mark);
  };
}

function HeaderCell({ id, search, children }: { id: ColumnId; search: OrdersSearch; children: React.ReactNode }) {
  const navigate = useNavigate();
  const { sort: field, isNumber } = COLUMNS[id];
  const className = isNumber ? table.number : undefined;
  if (field === undefined) {
    return (
      <th scope="col" className={className}>
        {children}
      </th>
    );
  }
  const isSorted = search.sortField === field;
  const isDown = search.sortDir === 'desc';
  const Arrow = isDown ? IconArrowDown : IconArrowUp;
  return (
    <th scope="col" className={className} aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        className={classes.sort}
        onClick={() => void navigate({ to: '/orders', search: sortedBy(search, field) })}
      >
        {children}
        <Arrow size={12} aria-hidden data-sorted={isSorted || undefined} />
      </button>
    </th>
  );
}
