import { IconClock, IconClockExclamation } from '@tabler/icons-react';
import type { OrderDetail } from '../../api/schemas.js';
import { Facts, Panel } from '../../elements/page.js';
import { Since, useNow } from '../../elements/since.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { DayDelta } from './day-delta.js';
import { daysFrom, todayAt } from './days.js';
import { SIDE } from './texts.js';
import classes from './side.module.css';

/** From here on the goods have left. */
const SHIPPED = 500;
const MINUTE_MS = 60_000;

/** When an order leaves the factory: as ordered, as replied, as agreed, and how much time is left. */
export function DatesPanel({ order }: { order: OrderDetail }) {
  const texts = useTexts(SIDE);
  const terms = useTexts(TERMS);
  const { date, instant } = useFormats();
  const replied = (day: string | null) =>
    day === null ? null : (
      <>
        {date(day)} <DayDelta from={order.originalXfd} to={day} />
      </>
    );
  return (
    <Panel title={texts.dates} beside={<Deadline order={order} />}>
      <Facts
        facts={[
          [terms.xfDate, <b key="xf">{date(order.xfDate)}</b>],
          [terms.originalXfd, date(order.originalXfd)],
          [terms.vendorReplyXfd, replied(order.vendorReplyXfd)],
          [terms.agreedXfd, replied(order.agreedXfd)],
          [terms.poDate, date(order.poDate)],
          ...(order.agreedAt === null ? [] : [[texts.agreedAt, instant(order.agreedAt)] as const]),
          [terms.updated, <Since key="updated" instant={order.updatedAt} />],
        ]}
      />
    </Panel>
  );
}

/** How long until the ex-factory date; nothing once that does not matter any more. */
function Deadline({ order: { xfDate, statusId } }: { order: OrderDetail }) {
  const texts = useTexts(SIDE);
  const { days } = useFormats();
  const left = daysFrom(todayAt(useNow(MINUTE_MS)), xfDate);
  if (statusId >= SHIPPED) return null;
  const Icon = left < 0 ? IconClockExclamation : IconClock;
  return (
    <span className={classes.deadline} data-late={left < 0 || undefined}>
      <Icon size={14} aria-hidden />
      {left < 0 ? texts.late(days(-left)) : left === 0 ? texts.today : texts.left(days(left))}
    </span>
  );
}
