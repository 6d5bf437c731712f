import { useFormats, useTexts } from '../../language/language.js';
import { IMPORT } from '../import-texts.js';
import classes from './import.module.css';

/** Rows of a table that are added to the page at a time. */
export const ROWS_AT_ONCE = 100;

/** The rest of a long table, a part at a time. */
export function MoreRows({ all, shown, show }: { all: number; shown: number; show: (rows: number) => void }) {
  const texts = useTexts(IMPORT);
  const { quantity } = useFormats();
  if (all <= shown) return null;
  return (
    <button type="button" className={classes.more} onClick={() => show(shown + ROWS_AT_ONCE)}>
      {texts.more(quantity(Math.min(ROWS_AT_ONCE, all - shown)))}
    </button>
  );
}
