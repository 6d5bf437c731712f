import { Button } from '@mantine/core';
import { IconFilterOff, IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useApi } from '../api/api.js';
import { PageHead } from '../elements/page.js';
import { useFormats, useTexts } from '../language/language.js';
import { Loaded } from '../states/loaded.js';
import { Message } from '../states/message.js';
import { TableSkeleton } from '../states/skeletons.js';
import { OrdersTable } from './orders-table.js';
import { Pages } from './pages.js';
import { queryOf } from './search.js';
import { ORDERS } from './texts.js';
import classes from './orders.module.css';

const route = getRouteApi('/orders');
/** As wide as texts of the columns usually are. */
const SKELETON = [110, 90, 40, 140, 80, 80, 60, 100, 110];

export function OrdersPage() {
  const texts = useTexts(ORDERS);
  const formats = useFormats();
  const { queries } = useApi();
  const search = route.useSearch();
  const query = useQuery(queries.orders(queryOf(search)));
  const total = query.data?.pagination.total;
  return (
    <>
      <PageHead
        title={texts.title}
        beside={total !== undefined && <span className={classes.count}>{texts.count(formats.quantity(total))}</span>}
      />
      <Loaded query={query} skeleton={<TableSkeleton rows={20} widths={SKELETON} />}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <NoOrders filtered={Object.keys(search).length > 0} />
          ) : (
            <>
              <OrdersTable orders={data} />
              <Pages page={pagination.page} pages={pagination.totalPages} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function NoOrders({ filtered }: { filtered: boolean }) {
  const texts = useTexts(ORDERS);
  const navigate = useNavigate();
  if (!filtered) {
    return (
      <Message icon={<IconInbox size={20} />} title={texts.empty.title}>
        {texts.empty.text}
      </Message>
    );
  }
  return (
    <Message
      icon={<IconFilterOff size={20} />}
      title={texts.none.title}
      actions={
        <Button variant="default" onClick={() => void navigate({ to: '/orders' })}>
          {texts.none.all}
        </Button>
      }
    >
      {texts.none.text}
    </Message>
  );
}
