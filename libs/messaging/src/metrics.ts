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
  help: 'Time from the start of a handler to the end of its effect',
  labelNames: ['topic', 'group'],
  buckets: [0.0005, 0.001, 0.0025, ...DURATION_BUCKETS],
});
/** The records of a topic that one consumer has not handled yet. */
export interface Lag {
  topic: string;
  records: number;
  seconds: number;
  /** Time since the oldest running handler started. */
  handlerSeconds: number;
}
/** One group's consumer in this process. */
export interface ObservedConsumer {
  group: string;
  /** True if the consumer is in its group and has fetched recently. */
  isUp: () => boolean;
  lag: () => readonly Lag[];
  /** Time without progress of each assigned partition. */
  withoutProgress: () => readonly { topic: string; partition: number; seconds: number }[];
}
/** Read when metrics are scraped, so that nothing runs between two scrapes. */
export const consumers = new Set<ObservedConsumer>();
new Gauge({
  name: 'kafka_consumer_up',
  help: '1 while the consumer is in its group and fetches, else 0',
  labelNames: ['group'],
  collect() {
    this.reset();
    for (const { group, isUp } of consumers) this.set({ group }, isUp() ? 1 : 0);
  },
});
for (const [name, help, unit] of [
  ['kafka_consumer_lag_records', 'Records of the assigned partitions that are not yet handled', 'records'],
  ['kafka_consumer_lag_seconds', 'Age of the oldest record fetched and not yet handled', 'seconds'],
  [
    'kafka_consumer_handler_seconds',
    'Time since the oldest running handler started, retries included',
    'handlerSeconds',
  ],
] as const) {
  new Gauge({
    name,
    help,
    labelNames: ['topic', 'group'],
    collect() {
      this.reset();
      for (const { group, lag } of consumers)
        for (const ofTopic of lag()) this.set({ topic: ofTopic.topic, group }, ofTopic[unit]);
    },
  });
}
new Gauge({
  name: 'kafka_consumer_stalled_seconds',
  help: 'Time since a record of the partition was last handled, or a fetch found no records',
  labelNames: ['topic', 'group', 'partition'],
  collect() {
    this.reset();
    for (const { group, withoutProgress } of consumers)
      for (const { topic, partition, seconds } of withoutProgress()) this.set({ topic, group, partition }, seconds);
  },
});
const rpcDuration = new Histogram({
  name: 'rpc_client_duration_seconds',
  help: 'Time from a request to its reply or refusal',
  labelNames: ['type', 'outcome'],
  buckets: DURATION_BUCKETS,
});
/** Records the duration of a request until its reply or timeout. Types and outcomes are closed lists. */
export function observeRpc(type: string, outcome: string, ms: number): void {
  rpcDuration.observe({ type, outcome }, ms / 1_000);
}
export const rpcPending = new Gauge({ name: 'rpc_pending', help: 'Requests waiting for their reply' });
export const rpcLateReplies = new Counter({
  name: 'rpc_late_replies_total',
  help: 'Replies that arrived after their request timed out, or at another instance',
});
export const rpcResends = new Counter({
  name: 'rpc_sent_again_total',
  help: 'Requests sent again to another partition because no reply had arrived',
  labelNames: ['type'],
});
export const clockAhead = new Gauge({
  name: 'rpc_clock_ahead_seconds',
  help: 'Largest lead of this clock over the clock of a client within a minute; negative: behind',
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
  help: 'Age of the oldest unpublished outbox row, without rows behind a parked one',
});
export const outboxParked = new Gauge({
  name: 'outbox_parked_rows',
  help: 'Outbox rows parked because the broker rejects them',
});
export const outboxPublished = new Counter({ name: 'outbox_publish_total', help: 'Outbox rows published' });
export const outboxFailures = new Counter({
  name: 'outbox_publish_failures_total',
  help: 'Publishing attempts that failed',
});
