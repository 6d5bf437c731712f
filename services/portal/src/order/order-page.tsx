import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { IconChevronLeft } from '@tabler/icons-react';
import { useApi } from '../api/api.js';
import type { OrderDetail } from '../api/schemas.js';
import { Flags } from '../elements/flags.js';
import { PageHead, Panel } from '../elements/page.js';
import { StatusBadge } from '../elements/status-badge.js';
import { useFormats, useTexts } from '../language/language.js';
import { TERMS } from '../language/terms.js';
import { Loaded } from '../states/loaded.js';
import { TableSkeleton, TextSkeleton } from '../states/skeletons.js';
import { OrderFacts } from './order-facts.js';
import { OrderLines } from './order-lines.js';
import { ORDER } from './texts.js';
import classes from './order.module.css';

const route = getRouteApi('/orders/$poRef');

export function OrderPage() {
  const { poRef } = route.useParams();
  const { queries } = useApi();
  const order = useQuery(queries.order(poRef));
  return (
    <>
      <Back />
      {order.data === undefined && order.isError && <PageHead title={poRef} />}
      <Loaded query={order} skeleton={<OrderSkeleton poRef={poRef} />}>
        {(data) => <Order order={data} />}
      </Loaded>
    </>
  );
}

function Order({ order }: { order: OrderDetail }) {
  const { queries } = useApi();
  const texts = useTexts(ORDER);
  const terms = useTexts(TERMS);
  const formats = useFormats();
  const lines = useQuery(queries.lines(order.poRef));
  return (
    <>
      <PageHead
        title={order.poNumber}
        beside={
          <>
            <StatusBadge status={order} />
            <Flags order={order} />
            <span className={classes.vendor}>{order.vendor}</span>
          </>
        }
      />
      <div className={classes.columns}>
        <Panel
          flush
          title={terms.lines}
          beside={
            <span className={classes.quiet}>
              {texts.linesCount(formats.quantity(order.lineCount), formats.quantity(order.totalQty))}
            </span>
          }
        >
          <Loaded query={lines} skeleton={<LinesSkeleton lines={order.lineCount} />}>
            {(items) => <OrderLines lines={items} order={order} />}
          </Loaded>
        </Panel>
        <OrderFacts order={order} />
      </div>
    </>
  );
}

function Back() {
  const texts = useTexts(ORDER);
  return (
    <Link to="/orders" className={classes.back}>
      <IconChevronLeft size={14} aria-hidden />
      {texts.back}
    </Link>
  );
}

const WIDTHS = [100, 70, 180, 50, 70, 80];

const LinesSkeleton = ({ lines }: { lines: number }) => <TableSkeleton rows={Math.max(1, lines)} widths={WIDTHS} />;

function OrderSkeleton({ poRef }: { poRef: string }) {
  const terms = useTexts(TERMS);
  const texts = useTexts(ORDER);
  return (
    <>
      <PageHead title={poRef} />
      <div className={classes.columns}>
        <Panel flush title={terms.lines}>
          <LinesSkeleton lines={6} />
        </Panel>
        <div className={classes.side}>
          {[texts.dates, texts.details, texts.shipping].map((title) => (
            <Panel key={title} title={title}>
              <TextSkeleton lines={4} />
            </Panel>
          ))}
        </div>
      </div>
    </>
  );
}
