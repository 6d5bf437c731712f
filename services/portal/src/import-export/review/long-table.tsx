import { type ReactNode, useState } from 'react';
import table from '../../theme/table.module.css';
import { FIRST_SHOWN, ShowMore } from './show-more.js';
import classes from './order-import.module.css';

/** A table of which the rows are shown a part at a time. */
export function LongTable<Row>(props: { head: ReactNode; rows: readonly Row[]; rowOf: (row: Row) => ReactNode }) {
  const { head, rows, rowOf } = props;
  const [shown, setShown] = useState(FIRST_SHOWN);
  return (
    <div className={classes.tableFrame}>
      <table className={`${table.table} ${classes.table}`}>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{rows.slice(0, shown).map(rowOf)}</tbody>
      </table>
      <ShowMore all={rows.length} shown={shown} show={setShown} />
    </div>
  );
}
