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
 * Accepts the order of a row or card. If the user has an unsaved draft for the order, shows a link to it instead, because accepting would
 * lock the order. If the focused button disappears through changes by others, the focus moves to the link of the order.
 */
export function AcceptButton(props: {
  order: OrderSummary;
  accept: (order: OrderSummary) => void;
  /** Short label, for use in the table. */
  isShort?: boolean;
  onFocus?: () => void;
}) {
  const { order, accept, isShort = false, onFocus } = props;
  const { acceptAsOrdered } = useTexts(TERMS);
  const texts = useTexts(ORDERS);
  const { poRef, poNumber } = order;
  const keepFocus = (button: HTMLButtonElement) => () => {
    if (document.activeElement === button) button.closest('tr, li')?.querySelector('a')?.focus();
  };
  if (useUnsavedOrders([poRef]).has(poRef)) {
    return (
      <Link
        to="/orders/$poRef"
        params={{ poRef }}
        state={{ fromList: true }}
        className={table.link}
        aria-label={`${texts.unsaved} ${poNumber}`}
        onFocus={onFocus}
      >
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
      onFocus={onFocus}
      onClick={() => accept(order)}
    >
      {/* The title is not on the button, because screen readers would read it after the button's name. */}
      {isShort ? <span title={acceptAsOrdered}>{texts.accept}</span> : acceptAsOrdered}
    </Button>
  );
}
