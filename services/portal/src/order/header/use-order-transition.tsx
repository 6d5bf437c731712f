import { notifications } from '@mantine/notifications';
import { newKey } from '@po/client';
import { IconCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApi } from '../../api/api.js';
import { KEYS } from '../../api/keys.js';
import type { AvailableAction, OrderDetail } from '../../api/schemas.js';
import { onVersion } from '../../api/writes.js';
import { StatusBadge } from '../../components/order/status-badge.js';
import { TRANSITION } from '../../components/order/transition-texts.js';
import { useLanguage, useTexts } from '../../language/language.js';
import { ORDER_HEADER } from './texts.js';
import classes from './header.module.css';

/** Performs a transition on the order version that the user reviewed, and reports the result in a notification. */
export function useOrderTransition(order: OrderDetail, { action }: AvailableAction, done: () => void) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const texts = useTexts(ORDER_HEADER);
  const { undo: undoWith } = useTexts(TRANSITION);
  const { localized } = useLanguage();
  const refresh = () => cache.invalidateQueries({ queryKey: KEYS.orderAll(order.poRef) });
  /** A request repeated after a lost answer has the same idempotency key, so that the API returns the first result. */
  const sent = useRef<{ comment: string; key: string }>(null);
  return useMutation({
    mutationFn: async ({ version, comment }: { version: number; comment: string }) => {
      if (sent.current?.comment !== comment) sent.current = { comment, key: newKey() };
      const { data } = await client.POST('/purchase-orders/{poRef}/transition', {
        params: { path: { poRef: order.poRef } },
        headers: { ...onVersion(version), 'Idempotency-Key': sent.current.key },
        body: { action, ...(comment !== '' && { comment }) },
      });
      return data;
    },
    onSuccess: async (result) => {
      void cache.invalidateQueries({ queryKey: KEYS.lists, refetchType: 'none' });
      void cache.invalidateQueries({ queryKey: KEYS.dashboard });
      await refresh();
      const present = await cache.ensureQueryData(queries.order(order.poRef)).catch(() => null);
      const undo = present?.availableActions.find((one) => one.action === 'RECALL');
      done();
      const { newStatusId: statusId, newStatus: status, newStatusZh: statusZh } = result;
      // Only the newest notification of an order is shown.
      const id = `act:${order.poRef}`;
      notifications.hide(id);
      notifications.show({
        id,
        icon: <IconCheck size={14} aria-hidden />,
        title: texts.done(order.poNumber),
        message: (
          <span className={classes.done}>
            <StatusBadge status={{ statusId, status, statusZh }} />
            {result.autoApproved && `${texts.automatic} `}
            {undo && undoWith(localized(undo.label, undo.labelZh))}
          </span>
        ),
      });
    },
    onError: refresh,
  });
}
