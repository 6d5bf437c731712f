import type { ReactNode } from 'react';
import type { OrderDetail } from '../../api/schemas.js';
import { Facts, Panel } from '../../elements/page.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { ReplyPanel } from '../fields/reply-panel.js';
import type { Typing } from '../edit/use-order-edit.js';
import { Timeline } from '../timeline/timeline.js';
import { DatesPanel } from './dates-panel.js';
import { SIDE } from './texts.js';
import classes from './side.module.css';

/** What is known of an order beside its lines, and what may be typed there. */
export function OrderSide({ typing }: { typing: Typing }) {
  const { order, editable } = typing.head;
  const texts = useTexts(SIDE);
  const terms = useTexts(TERMS);
  const { amount } = useFormats();
  const canReply = editable.includes('vendor_reply_factory');
  const canShip = editable.includes('container_number');
  return (
    <div className={classes.side}>
      <DatesPanel order={order} />
      <ReplyPanel typing={typing} />
      {/* Before what hardly changes: who decides reads what was said. */}
      <Timeline poRef={order.poRef} />
      <Panel title={texts.details}>
        <Facts
          facts={[
            [terms.amount, `${order.currency} ${amount(order.amount)}`],
            ...(canReply ? [] : [[terms.factory, order.factory && <Factory key="factory" order={order} />] as const]),
            [terms.season, order.season],
            [terms.brand, order.brand],
            [terms.paymentTerm, order.paymentTerm],
            ...(canReply ? [] : [[terms.comment, long(order.vendorReplyComment)] as const]),
            [terms.remarks, long(order.remarks)],
          ]}
        />
      </Panel>
      <Panel title={texts.shipping}>
        <Facts
          facts={[
            [terms.shipMode, order.shipMode],
            [terms.tradeTerm, order.tradeTerm],
            [terms.destination, order.destination],
            ...(canShip
              ? []
              : [[terms.container, order.containerNumber] as const, [terms.tracking, order.trackingNumber] as const]),
          ]}
        />
      </Panel>
      <Panel title={texts.people}>
        <Facts
          facts={[
            [terms.vendor, `${order.vendor} (${order.vendorCode})`],
            [terms.buyer, <Buyer key="buyer" order={order} />],
          ]}
        />
      </Panel>
    </div>
  );
}

/** With the lines that somebody wrote. */
const long = (text: string | null): ReactNode => text && <span className={classes.long}>{text}</span>;

function Factory({ order: { factory, originalFactory, agreedFactory } }: { order: OrderDetail }) {
  const terms = useTexts(TERMS);
  return (
    <>
      {factory}
      {factory !== originalFactory && originalFactory !== null && (
        <del className={classes.replaced}>{originalFactory}</del>
      )}
      {agreedFactory !== null && agreedFactory !== factory && (
        <span className={classes.note}>
          {terms.agreed}: {agreedFactory}
        </span>
      )}
    </>
  );
}

function Buyer({ order: { buyerName, buyerEmail } }: { order: OrderDetail }) {
  const texts = useTexts(SIDE);
  if (buyerEmail === null) return buyerName ?? '–';
  const name = buyerName ?? buyerEmail;
  return (
    <a href={`mailto:${buyerEmail}`} title={texts.writeTo(buyerEmail)} className={classes.mail}>
      {name}
    </a>
  );
}
