import { dashboard } from './dashboard.js';
import { sumBy, maxBy, gauge, panel, quantile, query, rate } from './queries.js';

/** Dashboard of the messages between services. */
export const messaging = dashboard('po-messaging', 'Purchase orders: messaging', [
  {
    title: 'Outbox',
    panels: [
      panel(
        'Age of the oldest row',
        's',
        'Above 60 s nothing is published',
        query(maxBy('job', gauge('outbox_oldest_age_seconds')), '{{job}}'),
      ),
      panel(
        'Rows',
        'short',
        'Parked rows need a repair by hand',
        query(maxBy('job', gauge('outbox_pending_rows')), 'pending {{job}}'),
        query(maxBy('job', gauge('outbox_parked_rows')), 'parked {{job}}'),
      ),
      panel(
        'Published',
        'ops',
        'Failures: Kafka did not accept the record',
        query(sumBy('job', rate('outbox_publish_total')), '{{job}}'),
        query(sumBy('job', rate('outbox_publish_failures_total')), 'failures {{job}}'),
      ),
    ],
  },
  {
    title: 'Consumers',
    panels: [
      panel(
        'Behind by',
        's',
        'Above 60 s a consumer is too slow, or retries',
        query(maxBy('group, topic', gauge('kafka_consumer_lag_seconds')), '{{group}} {{topic}}'),
      ),
      panel(
        'Unprocessed records',
        'short',
        'Of the assigned partitions',
        query(sumBy('group, topic', gauge('kafka_consumer_lag_records')), '{{group}} {{topic}}'),
      ),
      panel(
        'Without progress',
        's',
        'Above 60 s a partition is stalled',
        query(
          maxBy('group, topic, partition', gauge('kafka_consumer_stalled_seconds')),
          '{{group}} {{topic}}/{{partition}}',
        ),
      ),
      panel(
        'Members that fetch',
        'short',
        '0: no member reads for this group',
        query(sumBy('group', gauge('kafka_consumer_up')), '{{group}}'),
      ),
      panel(
        'Records by outcome',
        'ops',
        'expired: the caller no longer waited',
        query(sumBy('group, outcome', rate('kafka_consumer_messages_total')), '{{group}} {{outcome}}'),
      ),
      panel(
        '99 % are handled within',
        's',
        'From the start of the handler to its effect',
        query(quantile(0.99, 'group', 'kafka_consumer_process_duration_seconds'), '{{group}}'),
      ),
      panel(
        'Dead letters and duplicates',
        'ops',
        'Look at every dead letter; duplicates are dropped',
        query(sumBy('group', rate('dlq_messages_total')), 'dead letters {{group}}'),
        query(sumBy('job', rate('inbox_duplicates_total')), 'duplicates {{job}}'),
      ),
    ],
  },
  {
    title: 'Requests to services',
    panels: [
      panel(
        'Waiting',
        'short',
        'At 2,000 a gateway refuses',
        query(maxBy('instance', gauge('rpc_pending')), '{{instance}}'),
      ),
      panel(
        '99 % by type',
        's',
        'As the caller measures it',
        query(quantile(0.99, 'type', 'rpc_client_duration_seconds'), '{{type}}'),
      ),
      panel(
        'Failed requests',
        'reqps',
        'timeout: no answer within 3 s (read) or 8 s (write)',
        query(
          sumBy('type, outcome', rate('rpc_client_duration_seconds_count', ',outcome!~"[234]xx"')),
          '{{type}} {{outcome}}',
        ),
      ),
      panel(
        'Sent again, and late',
        'ops',
        'again: sent to another partition; late: after the timeout',
        query(sumBy('type', rate('rpc_sent_again_total')), 'again {{type}}'),
        query(sumBy('job', rate('rpc_late_replies_total')), 'late {{job}}'),
      ),
      panel(
        'Clocks',
        's',
        'Beyond 10 s requests are refused',
        query(maxBy('instance', `abs(${gauge('rpc_clock_ahead_seconds')})`), '{{instance}}'),
      ),
    ],
  },
]);
