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
 * Accepts the order of a row or a card. What its user typed there and did not save is to be looked at first: it would be locked. Where
 * the button goes by what others do, the order's link has the focus that it had.
 */
export function AcceptButton(props: {
  order: OrderSummary;
  accept: (order: OrderSummary) => void;
  /** Among columns that need the room. */
  isShort?: boolean;
}) {
  const { order, accept, isShort = false } = props;
  const { acceptAsOrdered } = useTexts(TERMS);
  const texts = useTexts(ORDERS);
  const { poRef, poNumber } = order;
  const keepFocus = (button: HTMLButtonElement) => () => {
    if (document.activeElement === button) button.closest('tr, li')?.querySelector('a')?.focus();
  };
  if (useUnsavedOrders([poRef]).has(poRef)) {
    return (
      <Link to="/orders/$poRef" params={{ poRef }} className={table.link} aria-label={`${texts.unsaved} ${poNumber}`}>
        {texts.unsaved}
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
      {/* Not of the button: it would be read aloud behind its name. */}
      {isShort ? <span title={acceptAsOrdered}>{texts.accept}</span> : acceptAsOrdered}
    </Button>
  );
}
