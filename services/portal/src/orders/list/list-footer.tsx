import { CloseButton } from '@mantine/core';
import { lazy } from 'react';
import type { OrderList } from '../../api/schemas.js';
import { useFormats, useTexts } from '../../language/language.js';
import { trackBarHeight } from '../../components/bar-height.js';
import { AsyncBoundary } from '../../components/loading-and-errors/states.js';
import { ExportMenu } from '../../import-export/export-menu.js';
import { Pagination } from './pagination.js';
import type { BulkRequest } from '../bulk/bulk-dialog.js';
import type { OrdersSearch } from '../filters/search.js';
import { ORDERS } from '../texts.js';
import { totalsOf } from '../../components/order/order-totals.js';
import classes from '../orders.module.css';

const SelectionActions = lazy(() => import('./selection-actions.js'));

/** Footer below the rows, so that these do not move: totals and pagination, or the actions for selected orders. */
export function ListFooter(props: {
  list: OrderList;
  search: OrdersSearch;
  picked: ReadonlySet<string>;
  clear: () => void;
  start: (request: BulkRequest) => void;
}) {
  const { list, search, picked, clear, start } = props;
  const texts = useTexts(ORDERS);
  const formats = useFormats();
  const { sortField, sortDir } = search;
  const chosen = list.data.filter(({ poRef }) => picked.has(poRef));
  const { orders, qty, amounts } = totalsOf(chosen.length > 0 ? chosen : list.data);
  const sums = amounts.map(([currency, amount]) => `${currency} ${formats.amount(amount)}`).join(' · ');
  if (chosen.length === 0) {
    return (
      <footer ref={trackBarHeight} className={classes.foot}>
        <span>
          {texts.onPage(formats.quantity(orders), formats.quantity(qty))} · {sums}
        </span>
        <Pagination page={list.pagination.page} pages={list.pagination.totalPages} search={search} />
      </footer>
    );
  }
  return (
    <footer ref={trackBarHeight} className={classes.foot} data-selection>
      <CloseButton size="sm" aria-label={texts.clear} onClick={clear} />
      <b>{texts.selected(formats.quantity(orders))}</b>
      <span className={classes.sums}>
        {texts.pieces(formats.quantity(qty))} · {sums}
      </span>
      <ExportMenu query={{ poRef: chosen.map(({ poRef }) => poRef), sortField, sortDir }} isSelection />
      <AsyncBoundary>
        <SelectionActions orders={chosen} start={start} />
      </AsyncBoundary>
    </footer>
  );
}
