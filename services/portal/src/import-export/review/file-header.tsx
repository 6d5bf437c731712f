import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useFormats, useTexts } from '../../language/language.js';
import { IMPORT } from '../import-texts.js';
import { ChooseFile } from './drop-zone.js';
import classes from './import.module.css';

/** Which file it is, and how another one is chosen. `orders`: how many it is for, where that is known. */
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
    // The button that it was chosen by is gone, and with it the place of whoever goes on by keyboard.
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
