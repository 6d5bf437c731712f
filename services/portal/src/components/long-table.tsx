import { type ReactNode, useState } from 'react';
import { useFormats, useTexts } from '../language/language.js';
import { STATES } from './loading-and-errors/texts.js';
import { MoreButton } from './more-button.js';
import table from '../theme/table.module.css';

/** Number of entries shown at first, and added by each “Show more”. */
export const FIRST_SHOWN = 100;

/** A table that shows long lists of rows in steps. */
export function LongTable<Row>(props: {
  label?: string;
  className: string | undefined;
  head: ReactNode;
  rows: readonly Row[];
  rowOf: (row: Row) => ReactNode;
}) {
  const { label, className, head, rows, rowOf } = props;
  const [shown, setShown] = useState(FIRST_SHOWN);
  return (
    <>
      <table aria-label={label} className={`${table.table} ${className}`}>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{rows.slice(0, shown).map(rowOf)}</tbody>
      </table>
      {/* Gets the focus of the button when that disappears. */}
      <div tabIndex={-1} />
      <ShowMore all={rows.length} shown={shown} show={setShown} />
    </>
  );
}

/** Button that shows more entries; hidden if all are shown. */
export function ShowMore({ all, shown, show }: { all: number; shown: number; show: (shown: number) => void }) {
  const { more } = useTexts(STATES);
  const { quantity } = useFormats();
  if (all <= shown) return null;
  return (
    <MoreButton variant="subtle" showMore={() => show(shown + FIRST_SHOWN)}>
      {more(quantity(Math.min(FIRST_SHOWN, all - shown)))}
    </MoreButton>
  );
}
