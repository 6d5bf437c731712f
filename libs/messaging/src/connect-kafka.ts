// The one place that chooses the adapter; everything else knows the port alone.
export { connectKafka } from './kafkajs/adapter.js';
export type { KafkaSettings } from './kafkajs/cluster/connections.js';
