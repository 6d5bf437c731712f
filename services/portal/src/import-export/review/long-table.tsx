import { type ReactNode, useState } from 'react';
import { useFormats, useTexts } from '../../language/language.js';
import table from '../../theme/table.module.css';
import { IMPORT } from '../import-texts.js';
import classes from './import.module.css';
import orders from './order-import.module.css';

/** Number of entries shown at first, and added by each “Show more”. */
export const FIRST_SHOWN = 100;

/** A table that shows long lists of rows in steps. */
export function LongTable<Row>(props: { head: ReactNode; rows: readonly Row[]; rowOf: (row: Row) => ReactNode }) {
  const { head, rows, rowOf } = props;
  const [shown, setShown] = useState(FIRST_SHOWN);
  return (
    <div className={orders.tableFrame}>
      <table className={`${table.table} ${orders.table}`}>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{rows.slice(0, shown).map(rowOf)}</tbody>
      </table>
      <ShowMore all={rows.length} shown={shown} show={setShown} />
    </div>
  );
}

/** Button that shows more entries; hidden if all are shown. */
export function ShowMore({ all, shown, show }: { all: number; shown: number; show: (shown: number) => void }) {
  const texts = useTexts(IMPORT);
  const { quantity } = useFormats();
  if (all <= shown) return null;
  return (
    <button type="button" className={classes.more} onClick={() => show(shown + FIRST_SHOWN)}>
      {texts.more(quantity(Math.min(FIRST_SHOWN, all - shown)))}
    </button>
  );
}
