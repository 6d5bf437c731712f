import { Skeleton } from '@mantine/core';
import { IconAlarm, IconClockExclamation, IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../api/api.js';
import type { Kpis, StatusDetails } from '../api/schemas.js';
import { dueRulesOf } from '../components/order/next-due.js';
import { StatusDot } from '../components/order/status-badge.js';
import { useFormats, useLanguage, useTexts } from '../language/language.js';
import type { OrdersSearch } from '../orders/filters/search.js';
import { builtInViews } from '../orders/views/built-in-views.js';
import { QueryBoundary } from '../components/loading-and-errors/states.js';
import { Loading } from '../components/loading-and-errors/skeletons.js';
import { STATUS_COUNT } from '../theme/status-colors.js';
import { countIn, countOf } from './counts.js';
import { DASHBOARD } from './texts.js';
import classes from './tiles.module.css';

/** Waiting orders, overdue orders, and the number of orders by status. Every number links to the orders that it counts. */
export function Tiles() {
  const { queries } = useApi();
  const filters = useQuery(queries.filters());
  const kpis = useQuery(queries.kpis());
  const me = useQuery(queries.me());
  return (
    <QueryBoundary query={filters} skeleton={<TilesSkeleton />}>
      {({ statusDetails }) => (
        <QueryBoundary query={kpis} skeleton={<TilesSkeleton />}>
          {(counts) => (
            <QueryBoundary query={me} skeleton={<TilesSkeleton />}>
              {({ role }) => (
                <div className={classes.tiles}>
                  <Views counts={counts} statuses={statusDetails} role={role} />
                  <Statuses counts={counts} statuses={statusDetails} />
                </div>
              )}
            </QueryBoundary>
          )}
        </QueryBoundary>
      )}
    </QueryBoundary>
  );
}

interface Counted {
  counts: Kpis;
  statuses: readonly StatusDetails[];
}

function Views({ counts, statuses, role }: Counted & { role: string }) {
  const texts = useTexts(DASHBOARD);
  const { queries } = useApi();
  const schedule = useQuery(queries.schedule());
  const views = new Map(builtInViews(role));
  const waiting = views.get('waiting');
  const labels = waiting?.status ?? [];
  return (
    <ul className={classes.views}>
      {waiting && (
        <Tile
          search={waiting}
          icon={<IconInbox size={16} aria-hidden />}
          label={texts[role === 'VENDOR' ? 'waiting' : 'approval']}
          count={countIn(counts, statuses, labels)}
        />
      )}
      {waiting && <DueTile role={role} />}
      <Tile
        search={views.get('overdue') ?? {}}
        icon={<IconClockExclamation size={16} aria-hidden />}
        label={texts.overdue}
        count={schedule.data?.overdueTotal}
        isBad
      />
    </ul>
  );
}

/** Orders whose reminder was due: replies for vendors, approvals for others. */
function DueTile({ role }: { role: string }) {
  const texts = useTexts(DASHBOARD);
  const { queries } = useApi();
  const [rule = 'APPROVAL_DUE'] = dueRulesOf(role);
  const { data } = useQuery(queries.due(rule));
  return (
    <Tile
      search={{ due: [rule] }}
      icon={<IconAlarm size={16} aria-hidden />}
      label={rule === 'REPLY_DUE' ? texts.repliesDue : texts.approvalsDue}
      count={data}
      isBad
    />
  );
}

/** `count` is undefined until loaded. */
function Tile(props: {
  search: OrdersSearch;
  icon: ReactNode;
  label: string;
  count: number | undefined;
  isBad?: boolean;
}) {
  const { search, icon, label, count, isBad = false } = props;
  const { quantity } = useFormats();
  return (
    <li className={classes.cell}>
      <Link to="/orders" search={search} className={classes.tile} data-bad={(isBad && Boolean(count)) || undefined}>
        <span className={classes.label}>
          {icon}
          {label}
        </span>
        <span className={classes.count}>{count === undefined ? '–' : quantity(count)}</span>
      </Link>
    </li>
  );
}

function Statuses({ counts, statuses }: Counted) {
  const { localized } = useLanguage();
  return (
    <ul className={classes.statuses}>
      {statuses.map(({ statusId, status, statusZh, kpiKey }) => (
        <Tile
          key={statusId}
          search={{ status: [status] }}
          icon={<StatusDot statusId={statusId} />}
          label={localized(status, statusZh)}
          count={countOf(counts, kpiKey)}
        />
      ))}
    </ul>
  );
}

const VIEWS = 3;

const TilesSkeleton = () => (
  <Loading className={classes.tiles}>
    <div className={classes.views}>
      <TileSkeletons tiles={VIEWS} label={96} count={40} />
    </div>
    <div className={classes.statuses}>
      <TileSkeletons tiles={STATUS_COUNT} label={64} count={32} />
    </div>
  </Loading>
);

/** `label` and `count`: widths in px. */
const TileSkeletons = ({ tiles, label, count }: { tiles: number; label: number; count: number }) =>
  Array.from({ length: tiles }, (_, tile) => (
    <div key={tile} className={`${classes.cell} ${classes.tile}`}>
      <Skeleton height={8} width={label} my={6} />
      <Skeleton height={16} width={count} my={8} />
    </div>
  ));
