import { Button } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useApi } from '../../api/api.js';
import type { AvailableAction, OrderList, OrderSummary } from '../../api/schemas.js';
import { useRole } from '../../api/use-me.js';
import { isAsOrdered } from '../../components/order/as-ordered.js';
import { useLanguage, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { useUnsavedOrders } from '../../storage/use-stored.js';
import type { Asked } from '../bulk/bulk-dialog.js';
import { BULK } from '../bulk/texts.js';
import classes from '../orders.module.css';

interface Offer {
  action: AvailableAction;
  isAcceptance: boolean;
  orders: OrderSummary[];
  /** How many more of these would be submitted without what the user typed there. */
  unsaved: number;
}

/** What somebody of this role can do with at least one of these; beside it with how many. */
export default function SelectionActions(props: { orders: OrderList['data']; start: (asked: Asked) => void }) {
  const { orders, start } = props;
  const { queries } = useApi();
  const role = useRole();
  const { localized } = useLanguage();
  const { acceptAsOrdered } = useTexts(TERMS);
  const texts = useTexts(BULK);
  const typed = useUnsavedOrders(orders.map(({ poRef }) => poRef));
  const statuses = [...new Set(orders.map(({ statusId }) => statusId))].toSorted((a, b) => a - b);
  // Whose they are is known a moment after a reload.
  const asked = role === undefined ? [] : statuses.map((statusId) => queries.actions(statusId, role));
  const answers = useQueries({ queries: asked });
  const found = new Map<string, Offer>();
  for (const action of answers.flatMap(({ data }) => data ?? [])) {
    const possible = orders.filter(({ statusId }) => statusId === action.fromStatusId);
    const fitting = possible.filter(({ poRef }) => action.action !== 'SUBMIT' || !typed.has(poRef));
    const known = found.get(action.action) ?? { action, isAcceptance: false, orders: [], unsaved: 0 };
    // In another status the same action may need a comment.
    const requiresComment = known.action.requiresComment || action.requiresComment;
    found.set(action.action, {
      ...known,
      action: { ...known.action, requiresComment },
      orders: [...known.orders, ...fitting],
      unsaved: known.unsaved + possible.length - fitting.length,
    });
  }
  const submit = found.get('SUBMIT');
  const asOrdered = submit?.orders.filter(isAsOrdered) ?? [];
  const accept = submit && asOrdered.length > 0 && { ...submit, isAcceptance: true, orders: asOrdered };
  const offered = [
    ...(accept ? [accept] : []),
    ...[...found.values()]
      .filter((offer) => offer.orders.length > 0)
      .toSorted((a, b) => Number(isDangerous(a.action)) - Number(isDangerous(b.action))),
  ];
  const askedOf = ({ unsaved, ...offer }: Offer): Asked => {
    const possible = offer.isAcceptance && submit ? submit.orders.length : offer.orders.length;
    const asChanged = possible - offer.orders.length;
    return { ...offer, leftOut: { byStatus: orders.length - possible - unsaved, unsaved, asChanged } };
  };
  return (
    <span className={classes.actions}>
      {submit?.orders.length === 0 && <span>{texts.unsaved(submit.unsaved)}</span>}
      {offered.map((offer) => (
        <Button
          key={offer.isAcceptance ? 'accept' : offer.action.action}
          size="sm"
          // Of two ways to submit, the shorter one.
          variant={offer.action.tone === 'primary' && (offer !== submit || !accept) ? 'filled' : 'default'}
          className={isDangerous(offer.action) ? classes.danger : undefined}
          onClick={() => start(askedOf(offer))}
        >
          {offer.isAcceptance ? acceptAsOrdered : localized(offer.action.label, offer.action.labelZh)}
          {offer.orders.length < orders.length && <span className={classes.part}>{offer.orders.length}</span>}
        </Button>
      ))}
    </span>
  );
}

const isDangerous = ({ tone }: AvailableAction): boolean => tone === 'danger';
