import { Button } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useApi } from '../../api/api.js';
import type { AvailableAction, OrderList } from '../../api/schemas.js';
import { useLanguage } from '../../language/language.js';
import classes from '../orders.module.css';

/** What somebody of this role can do with at least one of these; beside it with how many. */
export default function SelectionActions({
  orders,
  role,
  start,
}: {
  orders: OrderList['data'];
  role: string | undefined;
  start: (action: AvailableAction, refs: readonly string[]) => void;
}) {
  const { queries } = useApi();
  const { localized } = useLanguage();
  const statuses = [...new Set(orders.map(({ statusId }) => statusId))].toSorted((a, b) => a - b);
  // Whose they are is known a moment after a reload.
  const asked = role === undefined ? [] : statuses.map((statusId) => queries.actions(statusId, role));
  const answers = useQueries({ queries: asked });
  const found = new Map<string, { action: AvailableAction; refs: string[] }>();
  for (const action of answers.flatMap(({ data }) => data ?? [])) {
    const refs = orders.filter(({ statusId }) => statusId === action.fromStatusId).map(({ poRef }) => poRef);
    const known = found.get(action.action);
    found.set(action.action, { action: known?.action ?? action, refs: [...(known?.refs ?? []), ...refs] });
  }
  const offered = [...found.values()].toSorted((a, b) => Number(isDangerous(a.action)) - Number(isDangerous(b.action)));
  return (
    <span className={classes.actions}>
      {offered.map(({ action, refs }) => (
        <Button
          key={action.action}
          size="sm"
          variant={action.tone === 'primary' ? 'filled' : 'default'}
          className={isDangerous(action) ? classes.danger : undefined}
          onClick={() => start(action, refs)}
        >
          {localized(action.label, action.labelZh)}
          {refs.length < orders.length && <span className={classes.part}>{refs.length}</span>}
        </Button>
      ))}
    </span>
  );
}

const isDangerous = ({ tone }: AvailableAction): boolean => tone === 'danger';
