import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { OrderSummary } from '../../api/schemas.js';
import { useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { useUnsavedOrders } from '../../storage/use-stored.js';
import table from '../../theme/table.module.css';
import { ORDERS } from '../texts.js';
import classes from './list.module.css';

/**
 * Accepts the order of a row or a card; what the user typed there and did not save is to be looked at first, for that would lock it. Where it goes by what others do, its order's link has the focus that it had.
 */
export function AcceptButton({ order, accept }: { order: OrderSummary; accept: (order: OrderSummary) => void }) {
  const { acceptAsOrdered } = useTexts(TERMS);
  const { unsaved } = useTexts(ORDERS);
  const { poRef, poNumber } = order;
  const keepFocus = (button: HTMLButtonElement) => () => {
    if (document.activeElement === button) button.closest('tr, li')?.querySelector('a')?.focus();
  };
  if (useUnsavedOrders([poRef]).has(poRef)) {
    return (
      <Link to="/orders/$poRef" params={{ poRef }} className={table.link} aria-label={`${unsaved} ${poNumber}`}>
        {unsaved}
      </Link>
    );
  }
  return (
    <Button
      ref={keepFocus}
      size="compact-xs"
      variant="default"
      className={classes.accept}
      aria-label={`${acceptAsOrdered} ${poNumber}`}
      onClick={() => accept(order)}
    >
      {acceptAsOrdered}
    </Button>
  );
}
