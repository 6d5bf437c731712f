import { VisuallyHidden } from '@mantine/core';
import { IconCalendarOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.js';
import type { Schedule } from '../api/schemas.js';
import { Panel } from '../components/page.js';
import { useFormats, useTexts } from '../language/language.js';
import { Message, QueryBoundary } from '../components/loading-and-errors/states.js';
import { BlockSkeleton } from '../components/loading-and-errors/skeletons.js';
import { shareOf } from './counts.js';
import { DASHBOARD } from './texts.js';
import classes from './weeks.module.css';

export function WeeksPanel() {
  const texts = useTexts(DASHBOARD);
  const { queries } = useApi();
  const schedule = useQuery(queries.schedule());
  return (
    <Panel title={texts.weeks.title} aside={schedule.data && <Sums weeks={schedule.data.weeks} />} flush>
      <div className={classes.frame}>
        <QueryBoundary query={schedule} skeleton={<BlockSkeleton height="100%" />}>
          {({ weeks }) =>
            weeks.every(({ orders }) => orders === 0) ? (
              <Message icon={<IconCalendarOff size={20} aria-hidden />} title={texts.none.weeks.title} level="h3">
                {texts.none.weeks.text}
              </Message>
            ) : (
              <Weeks weeks={weeks} />
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

/** A column per week, with its numbers as text. */
function Weeks({ weeks }: Pick<Schedule, 'weeks'>) {
  const texts = useTexts(DASHBOARD);
  const formats = useFormats();
  const largest = Math.max(...weeks.map(({ orders }) => orders));
  return (
    <ol className={classes.weeks} aria-label={texts.weeks.title}>
      {weeks.map(({ from, orders, quantity }, at) => (
        <li key={from} data-week={from} title={formats.week(from)}>
          <VisuallyHidden>
            {formats.week(from)}: {texts.orders(formats.quantity(orders), orders === 1)},{' '}
            {texts.pieces(formats.quantity(quantity))}
          </VisuallyHidden>
          <b aria-hidden>{formats.quantity(orders)}</b>
          <span className={classes.column} style={{ height: `${shareOf(orders, largest)}%` }} />
          <span className={classes.date} aria-hidden>
            {at === 0 ? texts.weeks.thisWeek : formats.dayMonth(from)}
          </span>
          <span className={classes.pieces} aria-hidden>
            {formats.quantity(quantity)}
          </span>
        </li>
      ))}
    </ol>
  );
}
