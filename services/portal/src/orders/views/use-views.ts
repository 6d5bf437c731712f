import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useApi } from '../../api/api.js';
import type { View } from '../../api/schemas.js';
import { useStored } from '../../storage/use-stored.js';
import { type ColumnId, knownColumns, readColumns } from '../columns/columns.js';
import { type OrdersSearch, isEmpty } from '../filters/search.js';
import { addressOf, ordered, readIds, searchOf } from './views.js';

export interface ShownList {
  search: OrdersSearch;
  columns: readonly ColumnId[];
}

/** What the API has no field for is kept in this browser, by the ids of views. */
export const VIEW_ORDER = 'orders.view-order';
/** One id, or none: the view that an address without anything opens. */
export const DEFAULT_VIEW = 'orders.default-view';

/** The saved views in the user's own order, and which of them is open. */
export function useViews(search: OrdersSearch) {
  const { queries } = useApi();
  const navigate = useNavigate();
  const query = useQuery(queries.views());
  const [ids] = useStored(VIEW_ORDER, readIds);
  const [[byDefault]] = useStored(DEFAULT_VIEW, readIds);
  const views = useMemo(() => ordered(query.data ?? [], ids), [query.data, ids]);
  const open = views.find(({ id }) => id === search.view);
  const isDefault = byDefault !== undefined && isEmpty(search);
  const first = isDefault ? views.find(({ id }) => id === byDefault) : undefined;
  useEffect(() => {
    if (first) void navigate({ to: '/orders', search: addressOf(searchOf(first), {}), replace: true });
  }, [first, navigate]);
  return { query, views, open, isOpening: isDefault && (query.isLoading || first !== undefined) };
}

/** The columns of the view that is open, else those that the user chose. What is chosen in a view that has its own is not kept. */
export function useColumns(open: View | undefined): [readonly ColumnId[], (columns: readonly ColumnId[]) => void] {
  const [own, changeOwn] = useStored('orders.columns', readColumns);
  const [chosen, choose] = useState<{ view: View; columns: readonly ColumnId[] } | null>(null);
  const ofView = useMemo(() => open?.columns && knownColumns(open.columns), [open]);
  if (!open || !ofView) return [own, (columns) => changeOwn(() => columns)];
  return [chosen?.view === open ? chosen.columns : ofView, (columns) => choose({ view: open, columns })];
}
