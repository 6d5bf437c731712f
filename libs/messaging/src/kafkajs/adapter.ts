import type { Logger } from '@po/platform';
import kafkajs from 'kafkajs';
import { toKafkaJs } from './cluster/addresses.js';
import { adminPort } from './cluster/admin.js';
import { Cluster, splitAddress } from './cluster/cluster.js';
import { KafkaConsumer } from './consumer.js';
import { logTo } from './log.js';
import { KafkaProducer } from './producing/producer.js';
import { AuthorizationFailures } from './cluster/authorization-failures.js';
import type { BrokerConnection } from './cluster/protocol.js';
import { type KafkaSettings, saslOf, socketsOf } from './cluster/connections.js';
import type { KafkaPort } from '../kafka-port.js';
import { patchPollLoop } from './patches/poll-loop-patch.js';
import { kafkaJsModule } from './patches/patch-kafkajs.js';
import { patchConnection } from './patches/connection-patch.js';

const { Kafka, logLevel } = kafkajs;

const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 6_000;
/**
 * Time before the end of a broker's `connections.max.reauth.ms` at which a connection re-authenticates (KIP-368). A broker requires at
 * least one second between two re-authentications. With KafkaJS's default of 10 s, every request to a broker with a shorter session
 * would re-authenticate.
 */
const REAUTHENTICATE_BEFORE_MS = 1_000;

/**
 * Kafka through KafkaJS. No connection is opened before the first producer, consumer or admin client connects. `metadataMaxAgeMs`:
 * milliseconds after which metadata is refreshed even without an error; 5 minutes if absent.
 */
export function connectKafka(
  settings: KafkaSettings,
  clientId: string,
  logger: Logger,
  { metadataMaxAgeMs }: { metadataMaxAgeMs?: number } = {},
): KafkaPort {
  patchConnection();
  patchPollLoop();
  const connection = {
    clientId,
    ssl: settings.KAFKA_SSL ?? false,
    sasl: saslOf(settings),
    reauthenticationThreshold: REAUTHENTICATE_BEFORE_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    enforceRequestTimeout: true,
    socketFactory: socketsOf(settings),
  };
  const brokers = settings.KAFKA_BROKERS;
  const logging = { logLevel: logLevel.WARN, logCreator: logTo(logger) };
  // Few, short retries: the caller knows its deadline and starts over with a new connection.
  const retry = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 3 };
  const kafka = new Kafka({ ...connection, ...logging, brokers: brokers.map(toKafkaJs), retry });
  const authorizationFailures = new AuthorizationFailures(logger);
  const open = () =>
    new Cluster({
      authorizationFailures,
      brokers: brokers.map(splitAddress),
      connect: connectWith(connection, logger),
      maxAgeMs: metadataMaxAgeMs,
    });
  return {
    producer: (options) => new KafkaProducer(open(), options),
    consumer: (options) => new KafkaConsumer(open(), options, logger),
    admin: () => adminPort(kafka),
    leaders: (topic) => leadersOf(open(), topic),
    authorizationFailures: () => authorizationFailures.list(),
  };
}

async function leadersOf(cluster: Cluster, topic: string): Promise<number[]> {
  try {
    await cluster.ensureMetadata([topic]);
    return Array.from({ length: cluster.partitions(topic) }, (_, partition) => cluster.leaderOf(topic, partition));
  } finally {
    cluster.close();
  }
}

const Broker = kafkaJsModule<new (options: object) => BrokerConnection>('broker/index');
const ConnectionPool = kafkaJsModule<new (options: object) => object>('network/connectionPool');
const { createLogger } = kafkaJsModule<{ createLogger: (options: object) => object }>('loggers/index');

function connectWith(connection: object, to: Logger): (host: string, port: number) => BrokerConnection {
  const logger = createLogger({ level: logLevel.WARN, logCreator: logTo(to) });
  // Each request has its own timeout, which closes the connection: a join waits longer than other requests.
  const options = { ...connection, logger, enforceRequestTimeout: false };
  return (host, port) => new Broker({ logger, connectionPool: new ConnectionPool({ ...options, host, port }) });
}
