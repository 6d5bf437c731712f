import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../api/api.js';
import { StatusBadge } from '../components/order/status-badge.js';
import { useFormats, useTexts } from '../language/language.js';
import { daysFrom } from '../order/fields/dates.js';
import { QueryBoundary } from '../components/loading-and-errors/query-boundary.js';
import { DASHBOARD } from './texts.js';
import styles from '../theme/text.module.css';
import classes from './late.module.css';

/** The orders that are late, the latest first. `asOf`: today, `YYYY-MM-DD`. */
export function LateOrders({ asOf, skeleton }: { asOf: string; skeleton: ReactNode }) {
  const texts = useTexts(DASHBOARD);
  const formats = useFormats();
  const { queries } = useApi();
  const late = useQuery(queries.late());
  return (
    <QueryBoundary query={late} skeleton={skeleton}>
      {({ data }) => (
        <ul className={classes.orders} aria-label={texts.lateOrders}>
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
