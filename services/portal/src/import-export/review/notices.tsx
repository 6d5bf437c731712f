import { Button } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useFormats, useTexts } from '../../language/language.js';
import { IMPORT } from '../import-texts.js';
import type { Chosen } from '../run/use-import.js';
import classes from './import.module.css';

/** Row numbers to list; of further rows only the count is shown. */
const MAX_LISTED = 8;

/** Rows of the file that are not imported, and the reason. */
export function Notices(props: { chosen: Chosen; wanted: string | null; isBusy: boolean; takeAll: () => void }) {
  const { chosen, wanted, isBusy, takeAll } = props;
  const { parts, leftOut, unnamed } = chosen;
  const texts = useTexts(IMPORT);
  const { list, quantity } = useFormats();
  const rows = leftOut.reduce((sum, order) => sum + order.rows, 0);
  const orders = texts.orders(leftOut.length, quantity(leftOut.length));
  return (
    <>
      {leftOut.length > 0 && (
        <Notice>
          <span>
            {parts.length === 0
              ? texts.leftOutAll(wanted ?? '', orders)
              : texts.leftOut(texts.rowsOf(rows, quantity(rows)), orders)}
          </span>
          <Button size="xs" variant="default" disabled={isBusy} onClick={takeAll}>
            {parts.length === 0 ? texts.takeOthers : texts.takeAll}
          </Button>
        </Notice>
      )}
      {unnamed.length > 0 && (
        <Notice>
          <span>
            {texts.unnamed(list(unnamed.slice(0, MAX_LISTED).map(String)))}
            {unnamed.length > MAX_LISTED && ` ${texts.andMore(quantity(unnamed.length - MAX_LISTED))}`}
          </span>
        </Notice>
      )}
    </>
  );
}

const Notice = ({ children }: { children: ReactNode }) => (
  <div className={classes.notice} role="status">
    <IconInfoCircle size={16} aria-hidden />
    {children}
  </div>
);
