import type { OrderDetail } from '../api/schemas.js';
import { Facts, Panel } from '../elements/page.js';
import { useFormats, useTexts } from '../language/language.js';
import { TERMS } from '../language/terms.js';
import { ORDER } from './texts.js';
import classes from './order.module.css';

/** What is known of the order beside its lines. */
export function OrderFacts({ order }: { order: OrderDetail }) {
  const texts = useTexts(ORDER);
  const terms = useTexts(TERMS);
  const { date, amount, instant } = useFormats();
  const dated = (day: string | null) => (day === null ? null : date(day));
  return (
    <div className={classes.side}>
      <Panel title={texts.dates}>
        <Facts
          facts={[
            [terms.poDate, date(order.poDate)],
            [terms.originalXfd, date(order.originalXfd)],
            [terms.vendorReplyXfd, dated(order.vendorReplyXfd)],
            [terms.agreedXfd, dated(order.agreedXfd)],
            [terms.updated, instant(order.updatedAt)],
          ]}
        />
      </Panel>
      <Panel title={texts.details}>
        <Facts
          facts={[
            [terms.amount, `${order.currency} ${amount(order.amount)}`],
            [terms.factory, order.factory],
            [terms.buyer, order.buyerName],
            [terms.season, order.season],
            [terms.brand, order.brand],
            [terms.paymentTerm, order.paymentTerm],
            [terms.comment, order.vendorReplyComment],
            [terms.remarks, order.remarks],
          ]}
        />
      </Panel>
      <Panel title={texts.shipping}>
        <Facts
          facts={[
            [terms.shipMode, order.shipMode],
            [terms.tradeTerm, order.tradeTerm],
            [terms.destination, order.destination],
            [terms.container, order.containerNumber],
            [terms.tracking, order.trackingNumber],
          ]}
        />
      </Panel>
    </div>
  );
}
