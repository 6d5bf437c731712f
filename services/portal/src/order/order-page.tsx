import { type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, getRouteApi, useRouter } from '@tanstack/react-router';
import { type FocusEvent, type MouseEvent, useState } from 'react';
import { IconChevronLeft } from '@tabler/icons-react';
import { useApi } from '../api/api.js';
import { messagesQuery } from '../api/conversation.js';
import type { OrderDetail, OrderLines } from '../api/schemas.js';
import { PageHeader, Panel } from '../components/page.js';
import { OrderDrop } from '../import-export/file-drop.js';
import { useTexts } from '../language/language.js';
import { TERMS } from '../language/terms.js';
import { QueryBoundary } from '../components/loading-and-errors/states.js';
import { TextSkeleton } from '../components/loading-and-errors/skeletons.js';
import { EditedOrder } from './edit/edited-order.js';
import { SaveBar } from './edit/save-bar.js';
import { LatestComment } from './header/latest-comment.js';
import { OrderHeader } from './header/order-header.js';
import { MatrixSkeleton, OrderMatrix } from './matrix/order-matrix.js';
import { OrderDetails } from './details/order-details.js';
import { ORDER_DETAILS } from './details/texts.js';
import { CONVERSATION } from './conversation/texts.js';
import classes from './order.module.css';
import details from './details/details.module.css';

const route = getRouteApi('/orders/$poRef');

export function OrderPage() {
  // The API accepts either case, but answers, events and cached data have the upper-case reference.
  const poRef = route.useParams().poRef.toUpperCase();
  const { orders } = useTexts(TERMS);
  const { client, queries } = useApi();
  const order = useQuery(queries.order(poRef));
  const lines = useQuery(queries.lines(poRef));
  const diff = useQuery(queries.diff(poRef));
  const history = useQuery(queries.history(poRef));
  const messages = useInfiniteQuery(messagesQuery(client, poRef));
  // Everything is shown together: a part that came later would move the text that the user is reading.
  const isComing = [lines, diff, history, messages].some(
    ({ isLoading, failureCount }) => isLoading && failureCount === 0,
  );
  /** The order already shown. Later reads do not bring the skeleton back, because the user may be typing. */
  const [shown, setShown] = useState<string | null>(null);
  if (order.data && !isComing && shown !== poRef) setShown(poRef);
  const router = useRouter();
  // The history entry of the list has its filters, selection and scroll position.
  const back = (event: MouseEvent) => {
    if (!router.history.location.state.fromList || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    router.history.back();
  };
  return (
    <>
      <Link to="/orders" className={classes.back} onClick={back}>
        <IconChevronLeft size={14} aria-hidden />
        {orders}
      </Link>
      {order.data === undefined && order.isError && <PageHeader title={poRef} />}
      <QueryBoundary query={order} skeleton={<OrderSkeleton poRef={poRef} />}>
        {(data) =>
          isComing && shown !== poRef ? (
            <OrderSkeleton poRef={poRef} />
          ) : (
            <Order key={data.poRef} order={data} lines={lines} />
          )
        }
      </QueryBoundary>
    </>
  );
}

function Order({ order, lines }: { order: OrderDetail; lines: UseQueryResult<OrderLines> }) {
  return (
    <EditedOrder order={order} lines={lines.data}>
      {(typing) => (
        <>
          <OrderHeader typing={typing} />
          {order.availableActions.length > 0 && <LatestComment poRef={order.poRef} />}
          <div className={classes.columns} onFocus={showText}>
            <OrderMatrix order={typing.head.order} lines={lines} saving={typing.saving} />
            <OrderDetails typing={typing} />
          </div>
          <SaveBar typing={typing} />
          {order.editableFields.includes('vendorReplyQty') && <OrderDrop poRef={order.poRef} />}
        </>
      )}
    </EditedOrder>
  );
}

/** Chromium ignores the scroll margin when it scrolls to the caret of a text area, which could stay behind the sticky header. */
function showText({ target }: FocusEvent): void {
  if (target instanceof HTMLTextAreaElement) target.scrollIntoView({ block: 'nearest' });
}

function OrderSkeleton({ poRef }: { poRef: string }) {
  const texts = useTexts(ORDER_DETAILS);
  const { title: timeline } = useTexts(CONVERSATION);
  return (
    <>
      <PageHeader isSticky title={poRef} />
      <div className={classes.columns}>
        <div className={classes.coming}>
          <MatrixSkeleton lines={6} />
        </div>
        <div className={details.details}>
          {[texts.dates, timeline, texts.details, texts.shipping].map((title) => (
            <Panel key={title} title={title}>
              <TextSkeleton lines={4} />
            </Panel>
          ))}
        </div>
      </div>
    </>
  );
}
