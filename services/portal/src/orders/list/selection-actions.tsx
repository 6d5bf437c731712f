import { Button } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useApi, useRole } from '../../api/api.js';
import type { AvailableAction, OrderList, OrderSummary } from '../../api/schemas.js';
import { ProblemLine } from '../../components/loading-and-errors/states.js';
import { isAsOrdered } from '../../components/order/as-ordered.js';
import { useLanguage, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { useUnsavedOrders } from '../../storage/use-stored.js';
import type { BulkRequest } from '../bulk/bulk-dialog.js';
import { BULK } from '../bulk/texts.js';
import classes from '../orders.module.css';

interface Offer {
  action: AvailableAction;
  isAcceptance: boolean;
  orders: OrderSummary[];
  /** Number of further orders that are left out because the user has unsaved drafts for them. */
  unsaved: number;
}

/** Actions that the user can apply to at least one selected order, with the number of orders. */
export default function SelectionActions(props: { orders: OrderList['data']; start: (request: BulkRequest) => void }) {
  const { orders, start } = props;
  const { queries } = useApi();
  const role = useRole();
  const { localized } = useLanguage();
  const { acceptAsOrdered } = useTexts(TERMS);
  const texts = useTexts(BULK);
  const typed = useUnsavedOrders(orders.map(({ poRef }) => poRef));
  const statuses = [...new Set(orders.map(({ statusId }) => statusId))].toSorted((a, b) => a - b);
  // After a reload, the role is not known at first.
  const actionQueries = role === undefined ? [] : statuses.map((statusId) => queries.actions(statusId, role));
  const answers = useQueries({ queries: actionQueries });
  const failed = answers.find(({ isLoadingError }) => isLoadingError);
  const found = new Map<string, Offer>();
  for (const action of answers.flatMap(({ data }) => data ?? [])) {
    const possible = orders.filter(({ statusId }) => statusId === action.fromStatusId);
    const fitting = possible.filter(({ poRef }) => action.action !== 'SUBMIT' || !typed.has(poRef));
    const known = found.get(action.action) ?? { action, isAcceptance: false, orders: [], unsaved: 0 };
    // The same action may require a comment in another status.
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
  const requestOf = ({ unsaved, ...offer }: Offer): BulkRequest => {
    const possible = offer.isAcceptance && submit ? submit.orders.length : offer.orders.length;
    const asChanged = possible - offer.orders.length;
    return { ...offer, leftOut: { byStatus: orders.length - possible - unsaved, unsaved, asChanged } };
  };
  return (
    <span className={classes.actions}>
      {failed && (
        <ProblemLine
          error={failed.error}
          retry={() => answers.forEach((one) => one.isLoadingError && void one.refetch())}
        />
      )}
      {submit?.orders.length === 0 && <span>{texts.unsaved(submit.unsaved)}</span>}
      {offered.map((offer) => (
        <Button
          key={offer.isAcceptance ? 'accept' : offer.action.action}
          size="sm"
          // If there are two ways to submit, highlights the acceptance, which takes fewer steps.
          variant={offer.action.tone === 'primary' && (offer !== submit || !accept) ? 'filled' : 'default'}
          className={isDangerous(offer.action) ? classes.danger : undefined}
          onClick={() => start(requestOf(offer))}
        >
          {offer.isAcceptance ? acceptAsOrdered : localized(offer.action.label, offer.action.labelZh)}
          {offer.orders.length < orders.length && <span className={classes.part}>{offer.orders.length}</span>}
        </Button>
      ))}
    </span>
  );
}

const isDangerous = ({ tone }: AvailableAction): boolean => tone === 'danger';
