import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import type { AvailableAction } from '../../api/schemas.js';
import { isAsOrdered } from '../../components/order/as-ordered.js';
import { DueLabel } from '../../components/order/due-label.js';
import { Flags } from '../../components/order/flags.js';
import { PageHeader, useNarrow } from '../../components/page.js';
import { StatusBadge } from '../../components/order/status-badge.js';
import { useFocusFallback } from '../../components/dialogs/use-return-focus.js';
import { useLanguage, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { useCells } from '../edit/cells.js';
import { type Typing, useOrderEdit } from '../edit/use-order-edit.js';
import { type Offer, TransitionDialog } from './transition-dialog.js';
import { ORDER_HEADER } from './texts.js';
import styles from '../../theme/text.module.css';
import classes from './header.module.css';

/** Status of an order and the user's actions: the usual next action comes first, dangerous ones are in a menu. */
export function OrderHeader({ typing }: { typing: Typing }) {
  const { order } = typing.head;
  const texts = useTexts(ORDER_HEADER);
  const terms = useTexts(TERMS);
  const { localized } = useLanguage();
  /** The dialog stays open when the order changes, so that text typed there is not lost. */
  const [openOffer, setOpenOffer] = useState<Offer | null>(null);
  const { unsaved } = useOrderEdit(typing);
  const { matrix } = useCells();
  const { availableActions: actions } = order;
  const offers = actions.map((action): Offer => ({
    isAcceptance: false,
    action,
    label: localized(action.label, action.labelZh),
  }));
  const submit = offers.find(({ action }) => action.action === 'SUBMIT');
  // Unsaved edits are a reply too, and rule out acceptance as ordered.
  const isAcceptable = submit !== undefined && isAsOrdered(order);
  const accept = isAcceptable &&
    unsaved === 0 && { ...submit, label: terms.acceptAsOrdered, short: texts.accept, isAcceptance: true };
  const harmless: Offer[] = [...(accept ? [accept] : []), ...ofTone(offers, 'primary'), ...ofTone(offers, 'neutral')];
  useFocusFallback(`${actions.map(({ action }) => action).join()} ${isAcceptable}`);
  // A phone has room for only the usual next action beside the order number.
  const isNarrow = useNarrow();
  const shown = isNarrow ? harmless.slice(0, 1) : harmless;
  const decline = submit &&
    matrix && { ...submit, label: texts.decline, isDecline: true, action: { ...submit.action, requiresComment: true } };
  const further = [...harmless.slice(shown.length), ...(decline ? [decline] : []), ...ofTone(offers, 'danger')];
  return (
    <>
      <PageHeader
        isSticky
        title={order.poNumber}
        aside={
          <>
            <span className={classes.state}>
              <StatusBadge status={order} />
              <Flags order={order} />
              <DueLabel order={order} />
            </span>
            <span className={classes.vendor}>{order.vendor}</span>
          </>
        }
        actions={
          actions.length > 0 && (
            <div className={classes.actions} role="group" aria-label={texts.actions}>
              {shown.map((offer) => (
                <Button
                  key={offer.label}
                  // If there are two ways to submit, only the shorter one is highlighted.
                  variant={offer.action.tone === 'primary' && (offer !== submit || !accept) ? 'filled' : 'default'}
                  aria-label={offer.label}
                  onClick={() => setOpenOffer(offer)}
                >
                  {(isNarrow && offer.short) || offer.label}
                </Button>
              ))}
              {further.length > 0 && (
                <Menu>
                  <Menu.Target>
                    <ActionIcon variant="default" aria-label={texts.more}>
                      <IconDots size={16} aria-hidden />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    {further.map((offer) => (
                      <Menu.Item
                        key={offer.label}
                        className={offer.action.tone === 'danger' ? styles.danger : undefined}
                        onClick={() => setOpenOffer(offer)}
                      >
                        {offer.label}…
                      </Menu.Item>
                    ))}
                  </Menu.Dropdown>
                </Menu>
              )}
            </div>
          )
        }
      />
      {openOffer && (
        <TransitionDialog key={openOffer.label} {...openOffer} typing={typing} close={() => setOpenOffer(null)} />
      )}
    </>
  );
}

const ofTone = (offers: readonly Offer[], tone: AvailableAction['tone']) =>
  offers.filter(({ action }) => action.tone === tone);
