import { Skeleton, VisuallyHidden } from '@mantine/core';
import { IconCalendarOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { useApi } from '../api/api.js';
import type { Schedule } from '../api/schemas.js';
import { Panel } from '../components/page.js';
import { useFormats, useTexts } from '../language/language.js';
import { QueryBoundary } from '../components/loading-and-errors/query-boundary.js';
import { Message } from '../components/loading-and-errors/message.js';
import { AsyncBoundary } from '../components/loading-and-errors/async-boundary.js';
import { Loading } from '../components/loading-and-errors/loading.js';
import { DASHBOARD } from './texts.js';
import classes from './weeks.module.css';

/** Lazy, because the chart library is as large as the rest of the page. */
const WeeksChart = lazy(() => import('./weeks-chart.js'));

export function WeeksPanel() {
  const texts = useTexts(DASHBOARD);
  const { queries } = useApi();
  const schedule = useQuery(queries.schedule());
  return (
    <Panel title={texts.weeks.title} aside={schedule.data && <Sums weeks={schedule.data.weeks} />} flush>
      <div className={classes.frame}>
        <QueryBoundary query={schedule} skeleton={<WeeksSkeleton />}>
          {({ weeks }) =>
            weeks.every(({ orders }) => orders === 0) ? (
              <Message icon={<IconCalendarOff size={20} aria-hidden />} title={texts.none.weeks.title} level="h3">
                {texts.none.weeks.text}
              </Message>
            ) : (
              <>
                <AsyncBoundary skeleton={<WeeksSkeleton />}>
                  <WeeksChart weeks={weeks} />
                </AsyncBoundary>
                <WeeksTable weeks={weeks} />
              </>
            )
          }
        </QueryBoundary>
      </div>
    </Panel>
  );
}

function Sums({ weeks }: Pick<Schedule, 'weeks'>) {
  const texts = useTexts(DASHBOARD);
  const { quantity } = useFormats();
  const sum = (of: 'orders' | 'quantity') => weeks.reduce((total, week) => total + week[of], 0);
  const orders = sum('orders');
  if (orders === 0) return null;
  return (
    <span className={classes.sums}>
      {texts.orders(quantity(orders), orders === 1)}
      <span className={classes.pieces}> · {texts.pieces(quantity(sum('quantity')))}</span>
    </span>
  );
}

/** The data of the chart as a table, for screen readers. */
function WeeksTable({ weeks }: Pick<Schedule, 'weeks'>) {
  const { weeks: texts } = useTexts(DASHBOARD);
  const formats = useFormats();
  return (
    <VisuallyHidden>
      <table>
        <caption>{texts.title}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.week}</th>
            <th scope="col">{texts.orders}</th>
            <th scope="col">{texts.pieces}</th>
          </tr>
        </thead>
        <tbody>
          {weeks.map(({ from, orders, quantity }) => (
            <tr key={from} data-week={from}>
              <th scope="row">{formats.week(from)}</th>
              <td>{formats.quantity(orders)}</td>
              <td>{formats.quantity(quantity)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  );
}

/** Sample bar heights of twelve weeks, in percent. */
const HEIGHTS = [56, 72, 40, 64, 88, 48, 60, 32, 52, 76, 44, 36];

const WeeksSkeleton = () => (
  <Loading className={classes.skeleton}>
    {HEIGHTS.map((height) => (
      <Skeleton key={height} height={`${height}%`} />
    ))}
  </Loading>
);
