import type { ReactNode } from 'react';
import type { OrderDetail } from '../../api/schemas.js';
import { DescriptionList, Panel } from '../../components/page.js';
import { PreviousValue } from '../../components/previous-value.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { NEGOTIATED_ROWS } from '../fields/header-fields.js';
import { ReplyPanel } from './reply-panel.js';
import type { Typing } from '../edit/use-order-edit.js';
import { TimelinePanel } from '../conversation/timeline-panel.js';
import { DatesPanel } from './dates-panel.js';
import { ORDER_DETAILS } from './texts.js';
import styles from '../../theme/text.module.css';
import classes from './details.module.css';

/** Negotiated values without the dates, which have their own panel. */
const TEXTS = NEGOTIATED_ROWS.filter(({ input }) => input !== 'date');

/** Details of an order other than its lines, with the fields that the user may edit. */
export function OrderDetails({ typing }: { typing: Typing }) {
  const { order, editable } = typing.head;
  const texts = useTexts(ORDER_DETAILS);
  const terms = useTexts(TERMS);
  const { amount } = useFormats();
  const canReply = editable.includes('vendor_reply_comment');
  const canShip = editable.includes('container_number');
  return (
    <div className={classes.details}>
      <DatesPanel order={order} />
      <ReplyPanel typing={typing} />
      {/* Before the details, which rarely change: a user who decides reads the conversation first. */}
      <TimelinePanel poRef={order.poRef} />
      <Panel title={texts.details}>
        <DescriptionList
          items={[
            [terms.amount, `${order.currency} ${amount(order.amount)}`],
            ...(canReply
              ? []
              : TEXTS.map(
                  (names) =>
                    [
                      terms[names.current],
                      order[names.current] && <NegotiatedText key={names.current} order={order} names={names} />,
                    ] as const,
                )),
            [terms.season, order.season],
            [terms.brand, order.brand],
            [terms.paymentTerm, order.paymentTerm],
            ...(canReply ? [] : [[terms.comment, long(order.vendorReplyComment)] as const]),
            [terms.remarks, long(order.remarks)],
          ]}
        />
      </Panel>
      <Panel title={texts.shipping}>
        <DescriptionList
          items={[
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
        <DescriptionList
          items={[
            [terms.vendor, `${order.vendor} (${order.vendorCode})`],
            [terms.buyer, <Buyer key="buyer" order={order} />],
          ]}
        />
      </Panel>
    </div>
  );
}

/** Text with its line breaks. */
const long = (text: string | null): ReactNode => text && <span className={classes.long}>{text}</span>;

/** The current value, with the original and the agreed value if they differ. */
function NegotiatedText({ order, names }: { order: OrderDetail; names: (typeof NEGOTIATED_ROWS)[number] }) {
  const terms = useTexts(TERMS);
  const [current, original, agreed] = [names.current, names.original, names.agreed].map((name) => order[name] ?? null);
  return (
    <>
      {current}
      {original && original !== current && (
        <PreviousValue label={terms.original} value={original} className={classes.replaced} />
      )}
      {agreed && agreed !== current && (
        <span className={styles.quietLine}>
          {terms.agreed}: {agreed}
        </span>
      )}
    </>
  );
}

function Buyer({ order: { buyerName, buyerEmail } }: { order: OrderDetail }) {
  const texts = useTexts(ORDER_DETAILS);
  if (buyerEmail === null) return buyerName ?? '–';
  const name = buyerName ?? buyerEmail;
  return (
    <a
      href={`mailto:${encodeURIComponent(buyerEmail).replaceAll('%40', '@')}`}
      title={texts.writeTo(buyerEmail)}
      className={styles.link}
    >
      {name}
    </a>
  );
}
