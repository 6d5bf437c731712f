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

/** Stored in this browser by view ids, because the API has no field for the order. */
export const VIEW_ORDER = 'orders.view-order';
/** At most one id: the view that a URL without parameters opens. */
export const DEFAULT_VIEW = 'orders.default-view';

/** The saved views in the user's order, and the open view. */
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

/** Columns of the open view, or else the user's own. Changes are not stored while the open view has its own columns. */
export function useColumns(open: View | undefined): [readonly ColumnId[], (columns: readonly ColumnId[]) => void] {
  const [own, changeOwn] = useStored('orders.columns', readColumns);
  const [chosen, choose] = useState<{ view: View; columns: readonly ColumnId[] } | null>(null);
  const ofView = useMemo(() => open?.columns && knownColumns(open.columns), [open]);
  if (!open || !ofView) return [own, (columns) => changeOwn(() => columns)];
  return [chosen?.view === open ? chosen.columns : ofView, (columns) => choose({ view: open, columns })];
}
