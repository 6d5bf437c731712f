import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useTexts } from '../language/language.js';
import { EXPORT } from './export-texts.js';
import classes from './overlay.module.css';

/** Says above a page that a file may be dropped on it, while one is held there. */
export function DropOverlay() {
  const { over } = useTexts(EXPORT);
  return (
    <div className={classes.overlay} role="status">
      <IconFileSpreadsheet size={20} aria-hidden />
      {over}
    </div>
  );
}
