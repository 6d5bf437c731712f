import { Checkbox, Menu } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { DueLabel } from '../../components/order/due-label.js';
import { Flags } from '../../components/order/flags.js';
import { StatusBadge } from '../../components/order/status-badge.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import styles from '../../theme/text.module.css';
import table from '../../theme/table.module.css';
import { AcceptButton } from './accept-button.js';
import { ChangedMark } from './orders-row.js';
import { type Rows, SelectAll } from './orders-table.js';
import { COLUMNS, COLUMN_IDS } from '../columns/columns.js';
import { type OrdersSearch, sortedBy } from '../filters/search.js';
import { ListMenu } from '../list-menu.js';
import { ORDERS } from '../texts.js';
import list from '../orders.module.css';
import classes from './list.module.css';

/** One card per order, for phones. */
export default function OrdersCards(props: Rows) {
  const { orders, picked, marked, acceptable, isOld, select, setCursor, accept, scroller, search } = props;
  const texts = useTexts(ORDERS);
  const terms = useTexts(TERMS);
  const formats = useFormats();
  return (
    <div ref={scroller} data-scroll-restoration-id="orders" data-old={isOld || undefined}>
      <div className={list.filters}>
        <SortMenu search={search} />
        <label className={`${classes.cardEnd} ${classes.selectAll} ${styles.quietMedium}`}>
          {texts.selectAll}
          <SelectAll rows={props} size="md" />
        </label>
      </div>
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

/** Sorts as the header cells of the table do. */
function SortMenu({ search }: { search: OrdersSearch }) {
  const texts = useTexts(ORDERS);
  const terms = useTexts(TERMS);
  const navigate = useNavigate();
  const { sortField, sortDir } = search;
  const arrow = sortDir === 'desc' ? '↓' : '↑';
  const sorted = sortField && COLUMN_IDS.find((id) => COLUMNS[id].sort === sortField);
  return (
    <ListMenu label={sorted ? `${texts.sort} ${COLUMNS[sorted].name(terms, texts)} ${arrow}` : texts.sort}>
      {COLUMN_IDS.map((id) => {
        const { name, sort } = COLUMNS[id];
        return (
          sort && (
            <Menu.CheckboxItem
              key={id}
              checked={id === sorted}
              onChange={() => void navigate({ to: '/orders', search: sortedBy(search, sort) })}
            >
              {name(terms, texts)} {id === sorted && arrow}
            </Menu.CheckboxItem>
          )
        );
      })}
    </ListMenu>
  );
}
