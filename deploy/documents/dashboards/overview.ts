import { dashboard } from './dashboard.js';
import { sumBy, maxBy, gauge, stat, panel, quantile, query, rate } from './queries.js';

const HTTP = 'http_server_request_duration_seconds';
/** Matcher for recorded series, which combine all gateways of a namespace. */
const RECORDED = 'namespace=~"$namespace"';

/** Dashboard of the service level for users. */
export const overview = dashboard('po-overview', 'Purchase orders: overview', [
  {
    title: 'Service level: 99.9 % of requests without 5xx',
    panels: [
      stat(
        'Failed, 3 days',
        'percentunit',
        'Above 0.1 % the error budget is used up',
        query(`po:http_failure_ratio:3d{${RECORDED}}`, '{{namespace}}'),
      ),
      stat('Requests', 'reqps', 'All of them', query(sumBy('namespace', rate(`${HTTP}_count`)), '{{namespace}}')),
      panel(
        'Share of failed requests',
        'percentunit',
        'Alerts start at 1.44 % in one hour or 0.6 % in six hours',
        query(`po:http_failure_ratio:5m{${RECORDED}}`, '5 minutes'),
        query(`po:http_failure_ratio:1h{${RECORDED}}`, '1 hour'),
        query(`po:http_failure_ratio:6h{${RECORDED}}`, '6 hours'),
      ),
    ],
  },
  {
    title: 'Requests',
    panels: [
      panel(
        'By status',
        'reqps',
        '4xx are refusals, 5xx failures',
        query(sumBy('status_code', rate(`${HTTP}_count`)), '{{status_code}}'),
      ),
      panel(
        'Failures by route',
        'reqps',
        '503: nothing was sent; 504: no answer in time; 500: a defect',
        query(sumBy('route, status_code', rate(`${HTTP}_count`, ',status_code=~"5.."')), '{{status_code}} {{route}}'),
      ),
      panel(
        'By route',
        'reqps',
        'The busiest routes',
        query(sumBy('method, route', rate(`${HTTP}_count`)), '{{method}} {{route}}'),
      ),
      panel(
        'Latency',
        's',
        '50th, 95th and 99th percentile',
        query(quantile(0.5, 'namespace', HTTP), '50 %'),
        query(quantile(0.95, 'namespace', HTTP), '95 %'),
        query(quantile(0.99, 'namespace', HTTP), '99 %'),
      ),
      panel(
        '99 % by route',
        's',
        'Lists and exports take longer than single orders',
        query(quantile(0.99, 'method, route', HTTP), '{{method}} {{route}}'),
      ),
      panel(
        'Commands',
        'reqps',
        'Writes of users, by outcome',
        query(sumBy('command, outcome', rate('po_commands_total')), '{{command}} {{outcome}}'),
      ),
    ],
  },
  {
    title: 'Who asks',
    panels: [
      panel(
        'Tokens',
        'reqps',
        'keys-unavailable: the identity provider has been away too long',
        query(sumBy('result', rate('jwt_verifications_total')), '{{result}}'),
      ),
      panel(
        'Rate limited',
        'reqps',
        'counted=local: Redis is unavailable',
        query(sumBy('kind, counted', rate('rate_limit_rejections_total')), '{{kind}}, counted {{counted}}'),
      ),
      panel(
        'Exports and uploads refused',
        'reqps',
        'limit=gateway: the gateway was full; add gateways',
        query(sumBy('kind, limit', rate('admission_refusals_total')), '{{kind}}, limit {{limit}}'),
      ),
      panel(
        'Live streams',
        'short',
        'A gateway holds about 5,000',
        query(maxBy('instance', gauge('live_streams_open')), '{{instance}}'),
      ),
    ],
  },
]);
