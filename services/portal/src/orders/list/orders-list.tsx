import { VisuallyHidden, Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, useCallback, useMemo, useRef, useState } from 'react';
import type { OrderList, OrderSummary } from '../../api/schemas.js';
import { useRole } from '../../api/api.js';
import { useTexts } from '../../language/language.js';
import { AsyncBoundary } from '../../components/loading-and-errors/states.js';
import type { ColumnId } from '../columns/columns.js';
import { type Command, moved } from '../keyboard/keyboard.js';
import type { BulkRequest } from '../bulk/bulk-dialog.js';
import { isAsOrdered } from '../../components/order/as-ordered.js';
import { useFocusFallback } from '../../components/dialogs/use-return-focus.js';
import { waitsForVendor } from '../views/built-in-views.js';
import { ListFooter } from './list-footer.js';
import { OrdersTable, type Rows } from './orders-table.js';
import { type OrdersSearch, queryOf } from '../filters/search.js';
import { NO_SELECTION, allToggled, extended, extendedByOne, toggled } from './selection.js';
import { ORDERS } from '../texts.js';
import { useKeys } from '../keyboard/use-keys.js';
import { useUpdates } from './use-updates.js';
import { useListPosition } from './use-list-position.js';
import { IconRefresh } from '@tabler/icons-react';
import { type Updates, hasUpdates } from './updates.js';
import classes from './list.module.css';

const OrdersCards = lazy(() => import('./orders-cards.js'));
const BulkDialog = lazy(() => import('../bulk/bulk-dialog.js'));

/** Orders of one page, with keyboard navigation, selection and actions. */
export function OrdersList(props: {
  list: OrderList;
  search: OrdersSearch;
  columns: readonly ColumnId[];
  isNarrow: boolean;
  isOld: Rows['isOld'];
}) {
  const { list, search, columns, isNarrow, isOld } = props;
  const texts = useTexts(ORDERS);
  const navigate = useNavigate();
  const role = useRole();
  const scroller = useRef<HTMLDivElement>(null);
  const refs = useMemo(() => list.data.map(({ poRef }) => poRef), [list]);
  const place = useListPosition(refs, scroller);
  const { cursor, picked, setCursor, setSelection } = place;
  const [acting, setActing] = useState<BulkRequest | null>(null);
  const own = useCallback((poRef: string) => acting?.orders.some((order) => order.poRef === poRef) === true, [acting]);
  const { updates, marked, refresh } = useUpdates(queryOf(search), isOld ? undefined : list, own);
  const acceptable = new Set(
    list.data.flatMap((order) => (waitsForVendor(role, order) && isAsOrdered(order) ? order.poRef : [])),
  );
  useFocusFallback(refs.join());
  const goTo = (ref: string | null) => {
    setCursor(ref);
    const row = scroller.current?.querySelector<HTMLElement>(`[data-order="${CSS.escape(ref ?? '')}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  };
  const open = useCallback(
    (poRef: string) => {
      setCursor(poRef);
      void navigate({ to: '/orders/$poRef', params: { poRef }, state: { fromList: true } });
    },
    [navigate, setCursor],
  );
  const select = useCallback(
    (ref: string, further: boolean) => {
      setCursor(ref);
      setSelection((present) => (further ? extended(present, ref, refs) : toggled(present, ref)));
    },
    [refs, setCursor, setSelection],
  );
  const selectAll = () => setSelection((present) => allToggled(present, refs));
  const accept = useCallback((order: OrderSummary) => setActing({ orders: [order] }), []);
  const stretch = (to: string | null) => {
    goTo(to);
    if (cursor !== null && to !== null && to !== cursor)
      setSelection((present) => extendedByOne(present, cursor, to, refs));
  };
  const handle = (command: Command): boolean => {
    switch (command) {
      case 'down':
      case 'up':
      case 'first':
      case 'last':
        goTo(moved(refs, cursor, command));
        return true;
      case 'extend-down':
      case 'extend-up':
        stretch(moved(refs, cursor, command === 'extend-down' ? 'down' : 'up'));
        return true;
      case 'open':
        if (cursor !== null) open(cursor);
        return cursor !== null;
      case 'toggle':
      case 'extend':
        if (cursor !== null) select(cursor, command === 'extend');
        return cursor !== null;
      case 'all':
        selectAll();
        return true;
      case 'leave':
        if (picked.size > 0) setSelection(() => NO_SELECTION);
        else if (cursor !== null) {
          setCursor(null);
          (document.activeElement as HTMLElement | null)?.blur();
        }
        return true;
      case 'search':
      case 'help':
        return false;
    }
  };
  useKeys(handle);

  const rows = {
    orders: list.data,
    cursor,
    picked,
    marked,
    acceptable,
    select,
    open,
    setCursor,
    accept,
    scroller,
    isOld,
    search,
    selectAll,
  };
  return (
    <>
      <UpdatesBar updates={updates} refresh={refresh} />
      {isNarrow ? <OrdersCards {...rows} /> : <OrdersTable {...rows} columns={columns} />}
      <ListFooter
        list={list}
        search={search}
        picked={picked}
        clear={() => setSelection(() => NO_SELECTION)}
        start={setActing}
      />
      {acting !== null && (
        <AsyncBoundary>
          <BulkDialog
            request={acting}
            close={async (left) => {
              setActing(null);
              if (left === null) return;
              // Failed orders stay selected for another attempt. After the accept button of a row, the focus returns to the row.
              if (acting.action) setSelection(() => ({ picked: new Set(left), anchor: null }));
              else goTo(acting.orders[0]?.poRef ?? null);
              await refresh();
            }}
          />
        </AsyncBoundary>
      )}
      <VisuallyHidden aria-live="polite">{picked.size > 0 && texts.selected(String(picked.size))}</VisuallyHidden>
    </>
  );
}

/** Announces that reading the list again would change it. Placed above the rows, which do not move. */
function UpdatesBar({ updates, refresh }: { updates: Updates; refresh: () => Promise<void> }) {
  const texts = useTexts(ORDERS);
  return (
    <div role="status" className={classes.updates}>
      {hasUpdates(updates) && (
        <Button size="sm" leftSection={<IconRefresh size={14} aria-hidden />} onClick={() => void refresh()}>
          {updates.orders > 0 ? texts.updates(updates.orders) : texts.moved} – {texts.refresh}
        </Button>
      )}
    </div>
  );
}
