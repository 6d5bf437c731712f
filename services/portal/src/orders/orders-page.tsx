import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy } from 'react';
import { useApi } from '../api/api.js';
import { PageHeader, useNarrow } from '../components/page.js';
import { ExportMenu } from '../import-export/export-menu.js';
import { useFormats, useTexts } from '../language/language.js';
import { QueryBoundary } from '../components/query-boundary.js';
import { AsyncBoundary } from '../components/async-boundary.js';
import { CardsSkeleton } from './list/orders-cards.js';
import { CHOSEN_AT_FIRST, readColumns } from './columns/columns.js';
import { ColumnMenu } from './columns/column-menu.js';
import { FilterBar } from './filters/filter-bar.js';
import { useStored } from '../storage/use-stored.js';
import { OrdersList } from './list/orders-list.js';
import { OrdersSkeleton } from './list/orders-skeleton.js';
import { queryOf } from './filters/search.js';
import { ORDERS } from './texts.js';
import { ViewsBar } from './views/views-bar.js';
import classes from './orders.module.css';

const NoOrders = lazy(() => import('./list/no-orders.js'));
const route = getRouteApi('/orders');

export function OrdersPage() {
  const texts = useTexts(ORDERS);
  const formats = useFormats();
  const { queries } = useApi();
  const search = route.useSearch();
  const [columns, changeColumns] = useStored('orders.columns', readColumns);
  const me = useQuery(queries.me());
  const isNarrow = useNarrow();
  // Rows stay where they are while one reads: the list says what changed and is asked for again when its user wants that.
  const query = useQuery({
    ...queries.orders(queryOf(search)),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const total = query.data?.pagination.total;
  const role = me.data?.role;
  return (
    <div className={classes.page}>
      <PageHeader
        title={texts.title}
        beside={total !== undefined && <span className={classes.count}>{texts.count(formats.quantity(total))}</span>}
        actions={
          <>
            {!isNarrow && (
              <ColumnMenu
                chosen={columns}
                choose={(next) => changeColumns(() => next)}
                isChanged={columns.join() !== CHOSEN_AT_FIRST.join()}
              />
            )}
            <ExportMenu query={queryOf(search)} disabled={total === undefined || total === 0} />
          </>
        }
      />
      <ViewsBar search={search} role={role} isKnown={!me.isPending} />
      <FilterBar search={search} role={role} />
      <QueryBoundary query={query} skeleton={isNarrow ? <CardsSkeleton /> : <OrdersSkeleton columns={columns} />}>
        {(list) =>
          list.data.length === 0 ? (
            <AsyncBoundary skeleton={null}>
              <NoOrders search={search} isPast={list.pagination.total > 0} />
            </AsyncBoundary>
          ) : (
            <OrdersList
              list={list}
              search={search}
              columns={columns}
              role={role}
              isNarrow={isNarrow}
              isOld={query.isPlaceholderData}
            />
          )
        }
      </QueryBoundary>
    </div>
  );
}
