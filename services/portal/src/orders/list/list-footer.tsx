import { Button, CloseButton } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useApi } from '../../api/api.js';
import type { AvailableAction, OrderList } from '../../api/schemas.js';
import { useFormats, useLanguage, useTexts } from '../../language/language.js';
import { Pagination } from './pagination.js';
import type { OrdersSearch } from '../filters/search.js';
import { ORDERS } from '../texts.js';
import { totalsOf } from './totals.js';
import classes from '../orders.module.css';

/** Below the rows, where they do not move: totals and pages, or what can be done with those that are selected. */
export function ListFooter({
  list,
  search,
  picked,
  role,
  clear,
  start,
}: {
  list: OrderList;
  search: OrdersSearch;
  picked: ReadonlySet<string>;
  role: string | undefined;
  clear: () => void;
  start: (action: AvailableAction, refs: readonly string[]) => void;
}) {
  const texts = useTexts(ORDERS);
  const formats = useFormats();
  const chosen = list.data.filter(({ poRef }) => picked.has(poRef));
  const { orders, qty, amounts } = totalsOf(chosen.length > 0 ? chosen : list.data);
  const sums = amounts.map(([currency, amount]) => `${currency} ${formats.amount(amount)}`).join(' · ');
  if (chosen.length === 0) {
    return (
      <footer className={classes.foot}>
        <span>
          {texts.onPage(formats.quantity(orders), formats.quantity(qty))} · {sums}
        </span>
        <Pagination page={list.pagination.page} pages={list.pagination.totalPages} search={search} />
      </footer>
    );
  }
  return (
    <footer className={classes.foot} data-selection>
      <CloseButton size="sm" aria-label={texts.clear} onClick={clear} />
      <b>{texts.selected(formats.quantity(orders))}</b>
      <span className={classes.sums}>
        {texts.pieces(formats.quantity(qty))} · {sums}
      </span>
      <Actions orders={chosen} role={role} start={start} />
    </footer>
  );
}

/** What somebody of this role can do with at least one of these; beside it with how many. */
function Actions({
  orders,
  role,
  start,
}: {
  orders: OrderList['data'];
  role: string | undefined;
  start: (action: AvailableAction, refs: readonly string[]) => void;
}) {
  const { queries } = useApi();
  const { localized } = useLanguage();
  const statuses = [...new Set(orders.map(({ statusId }) => statusId))].toSorted((a, b) => a - b);
  // Whose they are is known a moment after a reload.
  const asked = role === undefined ? [] : statuses.map((statusId) => queries.actions(statusId, role));
  const answers = useQueries({ queries: asked });
  const found = new Map<string, { action: AvailableAction; refs: string[] }>();
  for (const action of answers.flatMap(({ data }) => data ?? [])) {
    const refs = orders.filter(({ statusId }) => statusId === action.fromStatusId).map(({ poRef }) => poRef);
    const known = found.get(action.action);
    found.set(action.action, { action: known?.action ?? action, refs: [...(known?.refs ?? []), ...refs] });
  }
  const offered = [...found.values()].toSorted((a, b) => Number(isDangerous(a.action)) - Number(isDangerous(b.action)));
  return (
    <span className={classes.actions}>
      {offered.map(({ action, refs }) => (
        <Button
          key={action.action}
          size="sm"
          variant={action.tone === 'primary' ? 'filled' : 'default'}
          className={isDangerous(action) ? classes.danger : undefined}
          onClick={() => start(action, refs)}
        >
          {localized(action.label, action.labelZh)}
          {refs.length < orders.length && <span className={classes.part}>{refs.length}</span>}
        </Button>
      ))}
    </span>
  );
}

const isDangerous = ({ tone }: AvailableAction): boolean => tone === 'danger';
