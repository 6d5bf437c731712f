import { useFormats, useLanguage, useTexts } from '../../language/language.js';
import table from '../../theme/table.module.css';
import { IMPORT } from '../import-texts.js';
import type { RowError } from '../run/order-import.js';
import { LongTable } from '../../components/long-table.js';
import classes from './order-import.module.css';

/** Errors in a file, with row numbers as in a spreadsheet. */
export function ErrorsTable({ errors, poRef }: { errors: readonly RowError[]; poRef: string }) {
  const { columns } = useTexts(IMPORT);
  const { localized } = useLanguage();
  const { quantity } = useFormats();
  return (
    <LongTable
      className={classes.table}
      head={
        <>
          <th scope="col" className={`${table.number} ${classes.rowNumber}`}>
            {columns.row}
          </th>
          <th scope="col">{columns.column}</th>
          <th scope="col">{columns.wrong}</th>
          <th scope="col" className={classes.codeColumn}>
            {columns.code}
          </th>
        </>
      }
      rows={errors}
      rowOf={({ row, column, code, message, messageZh }) => (
        <tr key={`${poRef} ${row} ${column} ${code}`}>
          <td className={table.number}>{quantity(row)}</td>
          <td className={classes.columnName}>{column ?? '–'}</td>
          <td className={classes.wrong}>{localized(message, messageZh)}</td>
          <td className={classes.codeColumn}>
            <code>{code}</code>
          </td>
        </tr>
      )}
    />
  );
}
