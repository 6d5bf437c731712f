// The only place that chooses the adapter. All other code depends on the port.
export { connectKafka } from './kafkajs/adapter.js';
export type { KafkaSettings } from './kafkajs/cluster/connections.js';
