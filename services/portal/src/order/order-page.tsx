import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { IconChevronLeft } from '@tabler/icons-react';
import { useApi } from '../api/api.js';
import type { OrderDetail } from '../api/schemas.js';
import { PageHead, Panel } from '../elements/page.js';
import { useFormats, useTexts } from '../language/language.js';
import { TERMS } from '../language/terms.js';
import { Loaded } from '../states/loaded.js';
import { TableSkeleton, TextSkeleton } from '../states/skeletons.js';
import { HeaderConflict } from './fields/header-conflict.js';
import { useHeaderEdit } from './fields/use-header-edit.js';
import { OrderHead } from './head/order-head.js';
import { OrderLines } from './order-lines.js';
import { OrderSide } from './side/order-side.js';
import { SIDE } from './side/texts.js';
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
        {(data) => <Order key={data.poRef} order={data} />}
      </Loaded>
    </>
  );
}

function Order({ order }: { order: OrderDetail }) {
  const { queries } = useApi();
  const texts = useTexts(ORDER);
  const terms = useTexts(TERMS);
  const formats = useFormats();
  const edit = useHeaderEdit(order);
  const lines = useQuery(queries.lines(order.poRef));
  return (
    <>
      <HeaderConflict edit={edit} />
      <OrderHead edit={edit} />
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
            {({ items }) => <OrderLines lines={items} order={order} />}
          </Loaded>
        </Panel>
        <OrderSide edit={edit} />
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
  const side = useTexts(SIDE);
  return (
    <>
      <PageHead title={poRef} />
      <div className={classes.columns}>
        <Panel flush title={terms.lines}>
          <LinesSkeleton lines={6} />
        </Panel>
        <div className={classes.side}>
          {[side.dates, side.details, side.shipping, side.people].map((title) => (
            <Panel key={title} title={title}>
              <TextSkeleton lines={4} />
            </Panel>
          ))}
        </div>
      </div>
    </>
  );
}
