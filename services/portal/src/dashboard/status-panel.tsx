import { IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.js';
import { Panel } from '../elements/page.js';
import { StatusDot, statusColor } from '../elements/status-badge.js';
import { useFormats, useLanguage, useTexts } from '../language/language.js';
import { Loaded } from '../states/loaded.js';
import { Message } from '../states/message.js';
import { STATUS_COLORS } from '../theme/status-colors.js';
import { Bars } from './bars.js';
import { BarsSkeleton } from './bars-skeleton.js';
import { countOf } from './counts.js';
import { DASHBOARD } from './texts.js';

const STATUSES = Object.keys(STATUS_COLORS).length;

/** How many orders are in each status, compared. */
export function StatusPanel() {
  const texts = useTexts(DASHBOARD);
  const { said } = useLanguage();
  const { quantity } = useFormats();
  const { queries } = useApi();
  const filters = useQuery(queries.filters());
  const kpis = useQuery(queries.kpis());
  const skeleton = <BarsSkeleton bars={STATUSES} />;
  return (
    <Panel title={texts.statuses} flush>
      <Loaded query={filters} skeleton={skeleton}>
        {({ statusDetails }) => (
          <Loaded query={kpis} skeleton={skeleton}>
            {(counts) =>
              statusDetails.every(({ kpiKey }) => countOf(counts, kpiKey) === 0) ? (
                <Message icon={<IconInbox size={20} />} title={texts.none.orders.title} level="h3">
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
                        {said(status, statusZh)}
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
          </Loaded>
        )}
      </Loaded>
    </Panel>
  );
}
