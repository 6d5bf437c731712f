import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy } from 'react';
import { useApi } from '../api/api.js';
import { AsyncBoundary, QueryBoundary } from '../components/loading-and-errors/states.js';
import { useFocusFallback } from '../components/dialogs/use-return-focus.js';
import { PageHeader, useNarrow } from '../components/page.js';
import { ExportMenu } from '../import-export/export-menu.js';
import { useFormats, useTexts } from '../language/language.js';
import { DEFAULT_COLUMNS } from './columns/columns.js';
import { ColumnMenu } from './columns/column-menu.js';
import { FilterBar } from './filters/filter-bar.js';
import { OrdersList } from './list/orders-list.js';
import { CardsSkeleton, OrdersSkeleton } from './list/skeletons.js';
import { queryOf } from './filters/search.js';
import { ORDERS } from './texts.js';
import { useColumns, useViews } from './views/use-views.js';
import { ViewsBar } from './views/views-bar.js';
import styles from '../theme/text.module.css';
import classes from './orders.module.css';

const NoOrders = lazy(() => import('./no-orders.js'));
const route = getRouteApi('/orders');

export function OrdersPage() {
  const texts = useTexts(ORDERS);
  const formats = useFormats();
  const { queries } = useApi();
  const search = route.useSearch();
  const views = useViews(search);
  const [columns, chooseColumns] = useColumns(views.open);
  const isNarrow = useNarrow();
  // Rows do not move while the user reads: the list announces changes and is read again on request. An empty list has no rows, and misses
  // changes while its page is hidden.
  const query = useQuery({
    ...queries.orders(queryOf(search)),
    enabled: !views.isOpening,
    refetchOnWindowFocus: ({ state }) => state.data?.data.length === 0,
    refetchOnReconnect: false,
  });
  const total = query.data?.pagination.total;
  // The button of an empty list disappears when it is pressed.
  useFocusFallback(JSON.stringify(search));
  const skeleton = isNarrow ? <CardsSkeleton /> : <OrdersSkeleton columns={columns} />;
  return (
    <div className={classes.page}>
      <PageHeader
        title={texts.title}
        aside={
          total !== undefined && <span className={styles.quietMedium}>{texts.count(formats.quantity(total))}</span>
        }
        actions={
          <>
            {!isNarrow && (
              <ColumnMenu
                chosen={columns}
                choose={chooseColumns}
                isChanged={columns.join() !== DEFAULT_COLUMNS.join()}
              />
            )}
            <ExportMenu query={queryOf(search)} disabled={total === undefined || total === 0} />
          </>
        }
      />
      <ViewsBar {...views} search={search} columns={columns} hasNoList={query.isLoadingError} />
      <FilterBar search={search} />
      <QueryBoundary query={query} skeleton={skeleton}>
        {(list) => (
          <AsyncBoundary skeleton={list.data.length === 0 ? null : skeleton}>
            {list.data.length === 0 ? (
              <NoOrders search={search} isPast={list.pagination.total > 0} />
            ) : (
              <OrdersList
                list={list}
                search={search}
                columns={columns}
                isNarrow={isNarrow}
                isOld={query.isPlaceholderData}
              />
            )}
          </AsyncBoundary>
        )}
      </QueryBoundary>
    </div>
  );
}
