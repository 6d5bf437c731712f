import { Button } from '@mantine/core';
import type { OrderSummary } from '../../api/schemas.js';
import { useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import classes from './list.module.css';

/** Accepts the order of a row or a card. Where it goes by what others do, its order's link has the focus that it had. */
export function AcceptButton({ order, accept }: { order: OrderSummary; accept: (order: OrderSummary) => void }) {
  const { acceptAsOrdered } = useTexts(TERMS);
  const keepFocus = (button: HTMLButtonElement) => () => {
    if (document.activeElement === button) button.closest('tr, li')?.querySelector('a')?.focus();
  };
  return (
    <Button
      ref={keepFocus}
      size="compact-xs"
      variant="default"
      className={classes.accept}
      aria-label={`${acceptAsOrdered} ${order.poNumber}`}
      onClick={() => accept(order)}
    >
      {acceptAsOrdered}
    </Button>
  );
}
