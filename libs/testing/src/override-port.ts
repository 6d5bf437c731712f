import type { KafkaPort } from '@po/messaging';

/** The same Kafka port with some methods replaced. */
export const overridePort = (kafka: KafkaPort, changes: Partial<KafkaPort>): KafkaPort => ({
  producer: (options) => kafka.producer(options),
  consumer: (options) => kafka.consumer(options),
  admin: () => kafka.admin(),
  leaders: (topic) => kafka.leaders(topic),
  authorizationFailures: () => kafka.authorizationFailures(),
  ...changes,
});
