import type { ReactNode } from 'react';
import type { OrderDetail, OrderLines } from '../../api/schemas.js';
import { useHeaderEdit, useHeaderName } from '../fields/use-header-edit.js';
import { CellsProvider, useCellsStore } from './cells.js';
import type { Typing } from './use-order-edit.js';
import { useSaving } from './use-saving.js';

/** Gives the parts of an order's page the user's edits, and what saves them. `lines` are undefined until they are loaded. */
export function EditedOrder(props: {
  order: OrderDetail;
  lines?: OrderLines | undefined;
  children: (typing: Typing) => ReactNode;
}) {
  const { order, lines, children } = props;
  const store = useCellsStore(order.poRef);
  const name = useHeaderName(order.poRef);
  const saving = useSaving(order.poRef, { head: name, store });
  const head = useHeaderEdit(order, saving);
  return (
    <CellsProvider order={order} lines={lines} store={store}>
      {children({ head, saving, store })}
    </CellsProvider>
  );
}
