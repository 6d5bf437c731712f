import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../api/api.js';
import type { Schedule } from '../api/schemas.js';
import { StatusBadge } from '../components/order/status-badge.js';
import { Panel } from '../components/page.js';
import { useFormats, useTexts } from '../language/language.js';
import { daysFrom } from '../order/fields/dates.js';
import type { OrdersSearch } from '../orders/filters/search.js';
import { Message, QueryBoundary } from '../components/loading-and-errors/states.js';
import { Bars, BarsSkeleton } from './bars.js';
import { DASHBOARD } from './texts.js';
import styles from '../theme/text.module.css';
import classes from './overdue.module.css';

const SKELETON = 5;
const ALL: OrdersSearch = { overdue: true, sortField: 'xfDate' };

/** Overdue orders by vendor; for a vendor, its own overdue orders. */
export function OverduePanel() {
  const texts = useTexts(DASHBOARD);
  const { queries } = useApi();
  const me = useQuery(queries.me());
  const schedule = useQuery(queries.schedule());
  const skeleton = <BarsSkeleton bars={SKELETON} />;
  const isVendor = me.data?.role === 'VENDOR';
  return (
    <Panel
      title={me.data === undefined ? texts.overdue : isVendor ? texts.overdueOrders : texts.overdueVendors}
      aside={Boolean(schedule.data?.overdueTotal) && <All total={schedule.data?.overdueTotal ?? 0} />}
      flush
    >
      <QueryBoundary query={me} skeleton={skeleton}>
        {() => (
          <QueryBoundary query={schedule} skeleton={skeleton}>
            {({ overdue, overdueTotal, asOf }) =>
              overdueTotal === 0 ? (
                <Message icon={<IconCircleCheck size={20} aria-hidden />} title={texts.none.overdue.title} level="h3">
                  {texts.none.overdue.text}
                </Message>
              ) : isVendor ? (
                <OverdueOrders asOf={asOf} skeleton={skeleton} />
              ) : (
                <OverdueVendors overdue={overdue} />
              )
            }
          </QueryBoundary>
        )}
      </QueryBoundary>
    </Panel>
  );
}

function All({ total }: { total: number }) {
  const texts = useTexts(DASHBOARD);
  const { quantity } = useFormats();
  return (
    <Link to="/orders" search={ALL} className={classes.all}>
      {texts.allOverdue(quantity(total), total === 1)}
    </Link>
  );
}

function OverdueVendors({ overdue }: Pick<Schedule, 'overdue'>) {
  const texts = useTexts(DASHBOARD);
  const { quantity } = useFormats();
  return (
    <Bars
      label={texts.overdueVendors}
      bars={overdue.map(({ vendor, vendorCode, orders, quantity: pieces }) => ({
        key: vendorCode,
        label: (
          <span className={classes.vendor} title={vendor}>
            {vendor}
          </span>
        ),
        number: orders,
        value: (
          <>
            {quantity(orders)} <span className={classes.pieces}>{texts.pieces(quantity(pieces))}</span>
          </>
        ),
        color: 'var(--status-900-dot)',
        // Two vendor codes can have the same company name.
        search: { ...ALL, vendor: vendorCode },
      }))}
    />
  );
}

/** Overdue orders, most overdue first. `asOf`: today, `YYYY-MM-DD`. */
function OverdueOrders({ asOf, skeleton }: { asOf: string; skeleton: ReactNode }) {
  const texts = useTexts(DASHBOARD);
  const formats = useFormats();
  const { queries } = useApi();
  const overdue = useQuery(queries.overdue());
  return (
    <QueryBoundary query={overdue} skeleton={skeleton}>
      {({ data }) => (
        <ul className={classes.orders} aria-label={texts.overdueOrders}>
          {data.map((order) => (
            <li key={order.poRef}>
              <Link to="/orders/$poRef" params={{ poRef: order.poRef }} className={classes.order}>
                <span className={classes.number}>{order.poNumber}</span>
                <StatusBadge status={order} />
                <span className={styles.quietSmall}>{formats.date(order.xfDate)}</span>
                <span className={classes.by}>{texts.by(formats.days(daysFrom(order.xfDate, asOf)))}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </QueryBoundary>
  );
}
