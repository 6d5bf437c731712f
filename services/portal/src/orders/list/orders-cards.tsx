import { Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { Link } from '@tanstack/react-router';
import { DueLabel } from '../../components/order/due-label.js';
import { Flags } from '../../components/order/flags.js';
import { StatusBadge } from '../../components/order/status-badge.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import styles from '../../theme/text.module.css';
import table from '../../theme/table.module.css';
import { AcceptButton } from './accept-button.js';
import { ChangedMark } from './orders-row.js';
import type { Rows } from './orders-table.js';
import { ORDERS } from '../texts.js';
import classes from './list.module.css';

/** One card per order, for phones. */
export default function OrdersCards(props: Rows) {
  const { orders, picked, marked, acceptable, isOld, select, setCursor, accept, scroller } = props;
  const texts = useTexts(ORDERS);
  const terms = useTexts(TERMS);
  const formats = useFormats();
  return (
    <div ref={scroller} data-scroll-restoration-id="orders" data-old={isOld || undefined}>
      <ul className={classes.cards} aria-label={texts.list}>
        {orders.map((order) => {
          const { poRef, poNumber } = order;
          const focus = () => setCursor(poRef);
          return (
            <li
              key={poRef}
              className={classes.card}
              data-picked={picked.has(poRef) || undefined}
              data-changed={marked.has(poRef) || undefined}
            >
              <div className={classes.cardLine}>
                <Link
                  to="/orders/$poRef"
                  params={{ poRef }}
                  state={{ fromList: true }}
                  data-order={poRef}
                  className={`${table.link} ${classes.cardLink}`}
                  onClick={focus}
                  onFocus={focus}
                >
                  {poNumber}
                </Link>
                {marked.has(poRef) && <ChangedMark />}
                <Flags order={order} />
                <span className={classes.cardEnd}>
                  <StatusBadge status={order} />
                  <Checkbox
                    size="md"
                    className={classes.cardCheck}
                    aria-label={texts.select(poNumber)}
                    checked={picked.has(poRef)}
                    onFocus={focus}
                    onChange={() => select(poRef, false)}
                  />
                </span>
              </div>
              <div className={`${classes.cardLine} ${styles.quiet}`}>
                <span>{order.vendor}</span>
                <span className={classes.cardEnd}>
                  <DueLabel order={order} isShort />
                </span>
              </div>
              <div className={classes.cardLine}>
                <span className={styles.quiet}>
                  {terms.xfDate} {formats.date(order.xfDate)}
                </span>
                <span className={classes.cardEnd}>
                  <span className={styles.quiet}>{texts.pieces(formats.quantity(order.totalQty))}</span>
                  {order.currency} {formats.amount(order.amount)}
                </span>
              </div>
              {acceptable.has(poRef) && <AcceptButton order={order} accept={accept} onFocus={focus} />}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
