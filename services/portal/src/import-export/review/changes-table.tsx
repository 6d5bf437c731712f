import { IconArrowDown, IconArrowRight, IconArrowUp, IconEraser } from '@tabler/icons-react';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import styles from '../../theme/text.module.css';
import table from '../../theme/table.module.css';
import { IMPORT } from '../import-texts.js';
import type { ShownChange } from '../run/summary.js';
import { LongTable } from '../../components/long-table.js';
import classes from './order-import.module.css';

export function ChangesTable({ changes }: { changes: readonly ShownChange[] }) {
  const { columns } = useTexts(IMPORT);
  const terms = useTexts(TERMS);
  const { list } = useFormats();
  return (
    <LongTable
      className={classes.table}
      head={
        <>
          <th scope="col">{columns.line}</th>
          <th scope="col">{columns.value}</th>
          <th scope="col" className={table.number}>
            {columns.change}
          </th>
        </>
      }
      rows={changes}
      rowOf={(change) => (
        <tr key={change.key}>
          <td>
            {[change.style, change.color, list(change.sizes)].join(' · ')}
            {change.code !== change.style && <span className={classes.code}>{change.code}</span>}
          </td>
          <td>{terms[change.field]}</td>
          <td className={table.number}>
            <Difference change={change} />
          </td>
        </tr>
      )}
    />
  );
}

/** As on the page of the order: the new value with icon and color, the old value struck through, and the difference. */
function Difference({ change: { field, from, to } }: { change: ShownChange }) {
  const texts = useTexts(IMPORT);
  const { quantity, price } = useFormats();
  const written = field === 'vendorReplyUnitPrice' ? price : quantity;
  const before = from === null ? texts.none : <s>{written(from)}</s>;
  if (to === null) {
    return (
      <span className={classes.change}>
        <span className={styles.quiet}>{before}</span>
        <b data-tone="down">
          <IconEraser size={14} aria-hidden /> {texts.cleared}
        </b>
      </span>
    );
  }
  const isUp = from === null || to > from;
  const Icon = from === null ? IconArrowRight : isUp ? IconArrowUp : IconArrowDown;
  return (
    <span className={classes.change}>
      <span className={styles.quiet}>
        {before}
        {from !== null && ` ${isUp ? '+' : '−'}${written(Math.abs(to - from))}`}
      </span>
      <b data-tone={from === null ? 'new' : isUp ? 'up' : 'down'}>
        <Icon size={14} aria-hidden />
        {written(to)}
      </b>
    </span>
  );
}
