import { useState } from 'react';
import { useFormats, useLanguage, useTexts } from '../../language/language.js';
import table from '../../theme/table.module.css';
import { IMPORT } from '../import-texts.js';
import type { RowError } from '../run/part.js';
import { MoreRows, ROWS_AT_ONCE } from './more-rows.js';
import classes from './part.module.css';

/** What is wrong with a file, row by row as a spreadsheet counts them. */
export function ErrorsTable({ errors, poRef }: { errors: readonly RowError[]; poRef: string }) {
  const { columns } = useTexts(IMPORT);
  const { said } = useLanguage();
  const { quantity } = useFormats();
  const [shown, setShown] = useState(ROWS_AT_ONCE);
  return (
    <div className={classes.tableFrame}>
      <table className={`${table.table} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col" className={`${table.number} ${classes.rowNumber}`}>
              {columns.row}
            </th>
            <th scope="col">{columns.column}</th>
            <th scope="col">{columns.wrong}</th>
            <th scope="col" className={classes.codeColumn}>
              {columns.code}
            </th>
          </tr>
        </thead>
        <tbody>
          {errors.slice(0, shown).map(({ row, column, code, message, messageZh }) => (
            <tr key={`${poRef} ${row} ${column} ${code}`}>
              <td className={table.number}>{quantity(row)}</td>
              <td className={classes.columnName}>{column ?? '–'}</td>
              <td className={classes.wrong}>{said(message, messageZh)}</td>
              <td className={classes.codeColumn}>
                <code>{code}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <MoreRows all={errors.length} shown={shown} show={setShown} />
    </div>
  );
}
