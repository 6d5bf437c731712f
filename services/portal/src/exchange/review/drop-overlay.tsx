import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useTexts } from '../../language/language.js';
import { IMPORT } from '../import-texts.js';
import classes from './overlay.module.css';

/** Says above a page that a file may be dropped on it, while one is held there. */
export function DropOverlay() {
  const { drop } = useTexts(IMPORT);
  return (
    <div className={classes.overlay} role="status">
      <IconFileSpreadsheet size={20} aria-hidden />
      {drop.over}
    </div>
  );
}
