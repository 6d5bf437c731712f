import { Checkbox, Tooltip } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useTable } from '@tanstack/react-table';
import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useMemo } from 'react';
import type { OrderSummary } from '../api/schemas.js';
import { useFormats, useTexts } from '../language/language.js';
import { TERMS } from '../language/terms.js';
import table from '../theme/table.module.css';
import { type ColumnId, isNumber, sortFieldOf } from './column-choice.js';
import { FEATURES, columnsOf } from './columns.js';
import { type OrdersSearch, sortedBy } from './search.js';
import { ORDERS } from './texts.js';
import classes from './list.module.css';

/** What is shown of a page of orders, and what one does with its rows. */
export interface Rows {
  orders: OrderSummary[];
  cursor: string | null;
  picked: ReadonlySet<string>;
  /** Changed by others since they were asked for. */
  marked: ReadonlySet<string>;
  /** `further`: all from the one that was selected last. */
  select: (poRef: string, further: boolean) => void;
  open: (poRef: string) => void;
  setCursor: (poRef: string) => void;
  scroller: RefObject<HTMLDivElement | null>;
}

const CONTROLS = 'a, button, input, label';

/** One row an order. */
export function OrdersTable({
  orders,
  columns: chosen,
  search,
  isOld,
  selectAll,
  scroller,
  ...rows
}: Rows & { columns: readonly ColumnId[]; search: OrdersSearch; isOld: boolean; selectAll: () => void }) {
  const texts = useTexts(ORDERS);
  const terms = useTexts(TERMS);
  const formats = useFormats();
  const columns = useMemo(() => columnsOf(chosen, terms, texts, formats), [chosen, terms, texts, formats]);
  const grid = useTable({ features: FEATURES, columns, data: orders, getRowId: ({ poRef }) => poRef });
  const count = orders.filter(({ poRef }) => rows.picked.has(poRef)).length;
  return (
    <div ref={scroller} className={`${table.frame} ${classes.scroller}`} data-old={isOld || undefined}>
      <table className={table.table} aria-label={texts.list}>
        <thead className={classes.head}>
          {grid.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              <th scope="col" className={classes.check}>
                <Checkbox
                  size="xs"
                  aria-label={texts.selectAll}
                  checked={count > 0 && count === orders.length}
                  indeterminate={count > 0 && count < orders.length}
                  onChange={selectAll}
                />
              </th>
              {group.headers.map((header) => (
                <HeadCell key={header.id} id={header.column.id} search={search}>
                  <grid.FlexRender header={header} />
                </HeadCell>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {grid.getRowModel().rows.map((row) => {
            const { poRef, poNumber } = row.original;
            const isPicked = rows.picked.has(poRef);
            const isMarked = rows.marked.has(poRef);
            return (
              <tr
                key={row.id}
                className={`${table.row} ${classes.row}`}
                data-order={poRef}
                data-picked={isPicked || undefined}
                data-cursor={rows.cursor === poRef || undefined}
                data-changed={isMarked || undefined}
                tabIndex={(rows.cursor ?? orders[0]?.poRef) === poRef ? 0 : -1}
                onFocus={() => rows.cursor !== poRef && rows.setCursor(poRef)}
                onClick={(event) => {
                  if ((event.target as Element).closest(CONTROLS) === null) rows.open(poRef);
                }}
              >
                <td className={classes.check}>
                  <Checkbox
                    size="xs"
                    tabIndex={-1}
                    aria-label={texts.select(poNumber)}
                    checked={isPicked}
                    onChange={({ nativeEvent }) => rows.select(poRef, (nativeEvent as PointerEvent).shiftKey)}
                  />
                </td>
                {row.getAllCells().map((cell) => (
                  <td key={cell.id} className={isNumber(cell.column.id) ? table.number : table.date}>
                    <grid.FlexRender cell={cell} />
                    {isMarked && cell.column.id === 'poNumber' && <ChangedMark />}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Somebody else changed it while one looked on. */
export function ChangedMark() {
  const texts = useTexts(ORDERS);
  return (
    <Tooltip label={texts.changed}>
      <span className={classes.changed} role="img" aria-label={texts.changed} />
    </Tooltip>
  );
}

function HeadCell({ id, search, children }: { id: string; search: OrdersSearch; children: React.ReactNode }) {
  const navigate = useNavigate();
  const field = sortFieldOf(id);
  const className = isNumber(id) ? table.number : undefined;
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
