import { IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.js';
import { Panel } from '../components/page.js';
import { StatusDot, statusColor } from '../components/order/status-badge.js';
import { useFormats, useLanguage, useTexts } from '../language/language.js';
import { Message, QueryBoundary } from '../components/loading-and-errors/states.js';
import { STATUS_COUNT } from '../theme/status-colors.js';
import { Bars, BarsSkeleton } from './bars.js';
import { countOf } from './counts.js';
import { DASHBOARD } from './texts.js';

export function StatusPanel() {
  const texts = useTexts(DASHBOARD);
  const { localized } = useLanguage();
  const { quantity } = useFormats();
  const { queries } = useApi();
  const filters = useQuery(queries.filters());
  const kpis = useQuery(queries.kpis());
  const skeleton = <BarsSkeleton bars={STATUS_COUNT} />;
  return (
    <Panel title={texts.statuses} flush>
      <QueryBoundary query={filters} skeleton={skeleton}>
        {({ statusDetails }) => (
          <QueryBoundary query={kpis} skeleton={skeleton}>
            {(counts) =>
              statusDetails.every(({ kpiKey }) => countOf(counts, kpiKey) === 0) ? (
                <Message icon={<IconInbox size={20} aria-hidden />} title={texts.none.orders.title} level="h3">
                  {texts.none.orders.text}
                </Message>
              ) : (
                <Bars
                  label={texts.statuses}
                  bars={statusDetails.map(({ statusId, status, statusZh, kpiKey }) => ({
                    key: kpiKey,
                    label: (
                      <>
                        <StatusDot statusId={statusId} />
                        {localized(status, statusZh)}
                      </>
                    ),
                    number: countOf(counts, kpiKey),
                    value: quantity(countOf(counts, kpiKey)),
                    color: statusColor(statusId),
                    search: { status: [status] },
                  }))}
                />
              )
            }
          </QueryBoundary>
        )}
      </QueryBoundary>
    </Panel>
  );
}
