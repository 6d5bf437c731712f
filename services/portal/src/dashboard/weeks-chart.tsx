import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import { useReducedMotion } from '@mantine/hooks';
import type { Schedule } from '../api/schemas.js';
import { useFormats, useTexts } from '../language/language.js';
import { DASHBOARD } from './texts.js';
import classes from './weeks.module.css';

type Week = Schedule['weeks'][number];

/** Bar chart of the number of orders by week. */
export default function WeeksChart({ weeks }: { weeks: readonly Week[] }) {
  const { weeks: texts } = useTexts(DASHBOARD);
  const formats = useFormats();
  const isStill = useReducedMotion(false, { getInitialValueInEffect: false });
  const present = weeks[0]?.from;
  return (
    <BarChart
      h="100%"
      data={[...weeks]}
      dataKey="from"
      series={[{ name: 'orders', color: 'var(--mantine-primary-color-filled)' }]}
      gridAxis="none"
      withYAxis={false}
      withBarValueLabel
      maxBarWidth={32}
      valueFormatter={(orders) => (orders === 0 ? '' : formats.quantity(orders))}
      barProps={{ radius: [3, 3, 0, 0], isAnimationActive: !isStill, animationDuration: 200 }}
      barChartProps={{ margin: { top: 24, right: 8, bottom: 8, left: 8 }, title: texts.title, desc: texts.keys }}
      xAxisProps={{
        axisLine: { stroke: 'var(--line)' },
        // Labels every week, or only every nth week if the labels do not fit.
        interval: 'equidistantPreserveStart',
        minTickGap: 8,
        tickFormatter: (from: string) => (from === present ? texts.thisWeek : formats.dayMonth(from)),
      }}
      tooltipProps={{
        position: undefined,
        cursor: { fill: 'var(--hover)' },
        content: ({ active, payload }) => {
          const week = payload?.[0]?.payload as Week | undefined;
          return active && week ? <WeekTip week={week} isPresent={week.from === present} /> : null;
        },
      }}
    />
  );
}

function WeekTip({ week: { from, orders, quantity }, isPresent }: { week: Week; isPresent: boolean }) {
  const { weeks: texts } = useTexts(DASHBOARD);
  const formats = useFormats();
  return (
    <div className={classes.tip}>
      <b>{formats.week(from)}</b>
      {isPresent && <span>{texts.thisWeek}</span>}
      <dl>
        <dt>{texts.orders}</dt>
        <dd>{formats.quantity(orders)}</dd>
        <dt>{texts.pieces}</dt>
        <dd>{formats.quantity(quantity)}</dd>
      </dl>
    </div>
  );
}
