import { dashboard } from './dashboard.js';
import { sumBy, maxBy, gauge, panel, query, rate } from './queries.js';

/** Dashboard of PostgreSQL, Redis and the identity provider. */
export const stores = dashboard('po-stores', 'Purchase orders: stores', [
  {
    title: 'PostgreSQL',
    panels: [
      panel(
        'Connections',
        'short',
        'waiting stays above 0: the pool is too small, or PostgreSQL is slow',
        query(sumBy('pool, state', gauge('db_pool_connections')), '{{pool}} {{state}}'),
      ),
      panel(
        'Busy',
        'percentunit',
        'Share of the maximum pool size',
        query(
          `${sumBy('pool, instance', gauge('db_pool_connections', ',state="busy"'))} / ${sumBy('pool, instance', gauge('db_pool_size'))}`,
          '{{pool}} {{instance}}',
        ),
      ),
      panel(
        'Wait for a connection',
        's',
        'Mean of the requests that had to wait',
        query(
          `${sumBy('pool', rate('db_pool_wait_seconds_total'))} / ${sumBy('pool', rate('db_pool_waits_total'))}`,
          '{{pool}}',
        ),
      ),
      panel(
        'Deleted',
        'ops',
        'Rows past their retention',
        query(sumBy('purge', rate('purge_rows_total')), '{{purge}}'),
        query(sumBy('purge', rate('purge_failures_total')), 'failed {{purge}}'),
      ),
      panel(
        'Deletion lag',
        's',
        'Of the most advanced replica',
        query(`min by (purge) (${gauge('purge_behind_seconds')})`, '{{purge}}'),
      ),
    ],
  },
  {
    title: 'Redis and what is counted in it',
    panels: [
      panel('Redis answers', 'short', 'Replicas for which it does', query(sumBy('job', gauge('redis_up')), '{{job}}')),
      panel(
        'Dashboards from SQL',
        'reqps',
        'Because Redis could not answer',
        query(sumBy('job', rate('dashboard_fallback_total')), '{{job}}'),
      ),
      panel(
        'Rebuilds',
        'short',
        'In the last hour',
        query(sumBy('outcome', `increase(${gauge('projection_rebuilds_total')}[1h])`), '{{outcome}}'),
      ),
      panel(
        'A projection is in service',
        'short',
        '0: answers come from PostgreSQL instead',
        query(maxBy('instance', `${gauge('projection_generation')} > bool 0`), '{{instance}}'),
      ),
    ],
  },
  {
    title: 'Identity provider and certificates',
    panels: [
      panel(
        'Age of the key set',
        's',
        'Above fresh it is stale, above usable every token is refused',
        query(maxBy('instance', gauge('jwks_age_seconds')), '{{instance}}'),
        query(`min by (limit) (${gauge('jwks_age_limit_seconds')})`, '{{limit}}'),
      ),
      panel('Fetches', 'ops', 'By what came of them', query(sumBy('result', rate('jwks_refresh_total')), '{{result}}')),
      panel(
        'Certificates expire in',
        's',
        'Renew below two weeks',
        query(
          `min by (job, use, file) (${gauge('tls_certificate_expiry_timestamp_seconds')}) - time()`,
          '{{job}} {{use}} {{file}}',
        ),
      ),
    ],
  },
]);
