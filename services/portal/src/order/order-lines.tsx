import { IconList } from '@tabler/icons-react';
import type { LineItem, OrderDetail } from '../api/schemas.js';
import { useFormats, useTexts } from '../language/language.js';
import { TERMS } from '../language/terms.js';
import { Message } from '../states/message.js';
import table from '../theme/table.module.css';
import { ORDER } from './texts.js';
import classes from './order.module.css';

/** One row an item, its sizes in one cell. */
export function OrderLines({ lines, order }: { lines: readonly LineItem[]; order: OrderDetail }) {
  const texts = useTexts(ORDER);
  const terms = useTexts(TERMS);
  const { quantity, price, amount } = useFormats();
  if (lines.length === 0) {
    return (
      <Message icon={<IconList size={20} />} title={texts.noLines.title}>
        {texts.noLines.text}
      </Message>
    );
  }
  return (
    <div className={table.frame}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{terms.style}</th>
            <th scope="col">{terms.color}</th>
            <th scope="col">{texts.sizes}</th>
            <th scope="col" className={table.number}>
              {terms.quantity}
            </th>
            <th scope="col" className={table.number}>
              {terms.unitPrice}
            </th>
            <th scope="col" className={table.number}>
              {terms.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={`${line.code}\n${line.style}\n${line.color}`}>
              <td>{line.style}</td>
              <td>{line.color}</td>
              <td className={table.date}>
                {line.sizeOrder.map((size) => (
                  <span key={size} className={classes.size}>
                    <span className={table.quiet}>{size}</span> {quantity(line.sizes[size]?.qty ?? 0)}
                  </span>
                ))}
              </td>
              <td className={table.number}>{quantity(line.totalQty)}</td>
              <td className={table.number}>{price(line.unitPrice)}</td>
              <td className={table.number}>{amount(line.totalAmount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={3}>{terms.total}</td>
            <td className={table.number}>{quantity(order.totalQty)}</td>
            <td />
            <td className={table.number}>
              {order.currency} {amount(order.amount)}
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
