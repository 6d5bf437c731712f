import { useFormats, useTexts } from '../../language/language.js';
import { IMPORT } from '../import-texts.js';
import classes from './import.module.css';

/** How many parts of a long list are on the page at first, and are added at a time. */
export const FIRST_SHOWN = 100;

/** Adds further parts of a long list to the page; nothing where all of them are there. */
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
