// The one place that chooses the adapter; everything else knows the port alone.
export { type KafkaSettings, connectKafka } from './kafkajs/adapter.js';
