import { DURATION_BUCKETS } from '@po/platform';
import { Counter, Gauge, Histogram } from 'prom-client';

/** Metrics of the transport. No PO, user or vendor is ever a label. */
export const messages = new Counter({
  name: 'kafka_consumer_messages_total',
  help: 'Records handled, by outcome',
  labelNames: ['topic', 'group', 'outcome'],
});
export const processing = new Histogram({
  name: 'kafka_consumer_process_duration_seconds',
  help: 'Time from taking a record out of its lane to its effect',
  labelNames: ['topic', 'group'],
  buckets: DURATION_BUCKETS,
});
/** What one consumer has not done of a topic. */
export interface Lag {
  group: string;
  topic: string;
  records: number;
  seconds: number;
}
/** Asked when metrics are scraped, so that nothing runs between two scrapes. */
export const lagSources = new Set<() => readonly Lag[]>();
for (const [name, help, unit] of [
  ['kafka_consumer_lag_records', 'Records of the assigned partitions that are not done', 'records'],
  ['kafka_consumer_lag_seconds', 'Age of the oldest record taken and not done', 'seconds'],
] as const) {
  new Gauge({
    name,
    help,
    labelNames: ['topic', 'group'],
    collect() {
      this.reset();
      for (const lagOf of lagSources)
        for (const lag of lagOf()) this.set({ topic: lag.topic, group: lag.group }, lag[unit]);
    },
  });
}
export const rpcDuration = new Histogram({
  name: 'rpc_client_duration_seconds',
  help: 'Time from a request to its answer or refusal',
  labelNames: ['type', 'outcome'],
  buckets: DURATION_BUCKETS,
});
export const rpcPending = new Gauge({ name: 'rpc_pending', help: 'Requests waiting for their reply' });
export const rpcLateReplies = new Counter({
  name: 'rpc_late_replies_total',
  help: 'Replies that came after their request had been given up, or to another instance',
});
export const rpcSentAgain = new Counter({
  name: 'rpc_sent_again_total',
  help: 'Requests sent again another way, because no answer had come',
  labelNames: ['type'],
});
export const clockAhead = new Gauge({
  name: 'rpc_clock_ahead_seconds',
  help: 'How far this clock is ahead of that of who asks (negative: behind), the worst of a minute',
  labelNames: ['group'],
});
export const commands = new Counter({
  name: 'po_commands_total',
  help: 'Commands answered, by HTTP status class',
  labelNames: ['command', 'outcome'],
});
export const deadLetters = new Counter({
  name: 'dlq_messages_total',
  help: 'Records sent to a dead-letter topic',
  labelNames: ['group'],
});
export const outboxPending = new Gauge({ name: 'outbox_pending_rows', help: 'Outbox rows not yet published' });
export const outboxAge = new Gauge({
  name: 'outbox_oldest_age_seconds',
  help: 'Age of the oldest unpublished outbox row',
});
export const outboxParked = new Gauge({
  name: 'outbox_parked_rows',
  help: 'Outbox rows set aside because the broker refuses them',
});
export const outboxPublished = new Counter({ name: 'outbox_publish_total', help: 'Outbox rows published' });
export const outboxFailures = new Counter({
  name: 'outbox_publish_failures_total',
  help: 'Publishing attempts that failed',
});
