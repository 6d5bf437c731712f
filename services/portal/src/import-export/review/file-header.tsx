import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useFormats, useTexts } from '../../language/language.js';
import { IMPORT } from '../import-texts.js';
import { ChooseFile } from './drop-zone.js';
import classes from './import.module.css';

/** The chosen file, and a button to choose another. `orders`: number of orders in the file; null if unknown. */
export function FileHeader(props: {
  name: string;
  rows: number;
  orders: number | null;
  choose: (files: File[]) => void;
  isBusy: boolean;
}) {
  const { name, rows, orders, choose, isBusy } = props;
  const texts = useTexts(IMPORT);
  const { quantity } = useFormats();
  const facts = [
    texts.rowsOf(rows, quantity(rows)),
    ...(orders === null ? [] : [texts.orders(orders, quantity(orders))]),
  ];
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that had the focus is gone, so keyboard users would lose their place.
    if (document.activeElement === document.body) head.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={head} tabIndex={-1} className={classes.file}>
      <IconFileSpreadsheet size={20} aria-hidden className={classes.fileIcon} />
      <div className={classes.fileText}>
        <b>{name}</b>
        <span>{facts.join(' · ')}</span>
      </div>
      <ChooseFile choose={choose} disabled={isBusy} variant="default">
        {texts.another}
      </ChooseFile>
    </div>
  );
}
