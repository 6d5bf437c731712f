import { STATUSES } from '@po/contracts/constants';
import { IconClock, IconClockExclamation } from '@tabler/icons-react';
import type { OrderDetail } from '../../api/schemas.js';
import { todayAt } from '../../components/order/next-due.js';
import { DescriptionList, Panel } from '../../components/page.js';
import { RelativeTime, useNow } from '../../components/relative-time.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { DayDelta } from '../fields/day-delta.js';
import { daysFrom } from '../fields/dates.js';
import { ORDER_DETAILS } from './texts.js';
import classes from './details.module.css';

const MINUTE_MS = 60_000;

/** Ex-factory dates of an order: original, reply and agreed, with the time left. */
export function DatesPanel({ order }: { order: OrderDetail }) {
  const texts = useTexts(ORDER_DETAILS);
  const terms = useTexts(TERMS);
  const { date, instant } = useFormats();
  const replied = (day: string | null) =>
    day === null ? null : (
      <>
        {date(day)} <DayDelta from={order.originalXfd} to={day} />
      </>
    );
  return (
    <Panel title={texts.dates} aside={<Deadline order={order} />}>
      <DescriptionList
        items={[
          [terms.xfDate, <b key="xf">{date(order.xfDate)}</b>],
          [terms.originalXfd, date(order.originalXfd)],
          [terms.vendorReplyXfd, replied(order.vendorReplyXfd)],
          [terms.agreedXfd, replied(order.agreedXfd)],
          [terms.poDate, date(order.poDate)],
          ...(order.agreedAt === null ? [] : [[texts.agreedAt, instant(order.agreedAt)] as const]),
          [terms.updated, <RelativeTime key="updated" instant={order.updatedAt} />],
        ]}
      />
    </Panel>
  );
}

/** Days until the ex-factory date; nothing for an order that is no longer open. */
function Deadline({ order: { xfDate, statusId } }: { order: OrderDetail }) {
  const texts = useTexts(ORDER_DETAILS);
  const { days } = useFormats();
  const left = daysFrom(todayAt(useNow(MINUTE_MS)), xfDate);
  if (!STATUSES.some((one) => one.statusId === statusId && one.isOpen)) return null;
  const Icon = left < 0 ? IconClockExclamation : IconClock;
  return (
    <span className={classes.deadline} data-overdue={left < 0 || undefined}>
      <Icon size={14} aria-hidden />
      {left < 0 ? texts.overdue(days(-left)) : left === 0 ? texts.today : texts.left(days(left))}
    </span>
  );
}
