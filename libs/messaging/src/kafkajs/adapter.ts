import { type Socket, connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Logger } from '@po/platform';
import kafkajs, { type ISocketFactoryArgs, type SASLOptions } from 'kafkajs';
import { hostOf, toKafkaJs } from './addresses.js';
import { adminPort } from './admin.js';
import { Cluster, splitAddress } from './cluster.js';
import { KafkaConsumer } from './consumer.js';
import { logTo } from './log.js';
import { KafkaProducer } from './producer.js';
import type { BrokerConnection } from './protocol.js';
import type { KafkaPort } from '../kafka-port.js';
import { patchPollLoop } from './patches/poll-loop-patch.js';
import { kafkaJsModule } from './patches/patch-kafkajs.js';
import { patchCompression } from './patches/compression.js';
import { patchConnection } from './patches/connection-patch.js';
import { patchProduce } from './patches/produce-patch.js';

const { Kafka, logLevel } = kafkajs;

/** The Kafka settings of every service, as `commonSettings` of the platform library reads them. */
export interface KafkaSettings {
  KAFKA_BROKERS: string[];
  KAFKA_SSL?: boolean;
  KAFKA_SASL_MECHANISM?: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  KAFKA_SASL_USERNAME?: string;
  KAFKA_SASL_PASSWORD?: string;
}

const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 6_000;
/** Each request of ours says itself how long it waits; a join waits longer than others. */
const NEVER_MS = 60_000;

/**
 * Kafka over KafkaJS. Nothing is opened before the first producer, consumer or admin client connects. `layoutMaxAgeMs`: milliseconds after
 * which partitions and their leaders are asked for anew without need; 5 minutes if absent.
 */
export function connectKafka(
  settings: KafkaSettings,
  clientId: string,
  logger: Logger,
  { layoutMaxAgeMs }: { layoutMaxAgeMs?: number } = {},
): KafkaPort {
  patchConnection();
  patchPollLoop();
  patchProduce();
  patchCompression();
  const connection = {
    clientId,
    ssl: settings.KAFKA_SSL ?? false,
    sasl: sasl(settings),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    enforceRequestTimeout: true,
    socketFactory: openSocket,
  };
  const brokers = settings.KAFKA_BROKERS;
  const logging = { logLevel: logLevel.WARN, logCreator: logTo(logger) };
  // Short and few: whoever asks knows its own deadline and starts over with a new connection.
  const retry = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 3 };
  const kafka = new Kafka({ ...connection, ...logging, brokers: brokers.map(toKafkaJs), retry });
  const open = () =>
    new Cluster({
      brokers: brokers.map(splitAddress),
      connect: connectWith(connection, logger),
      maxAgeMs: layoutMaxAgeMs,
    });
  return {
    producer: (options) => new KafkaProducer(open(), options),
    consumer: (options) => new KafkaConsumer(open(), options, logger),
    admin: () => adminPort(kafka),
    leaders: (topic) => leadersOf(open(), topic),
  };
}

async function leadersOf(cluster: Cluster, topic: string): Promise<number[]> {
  try {
    await cluster.know([topic]);
    return Array.from({ length: cluster.partitions(topic) }, (_, partition) => cluster.leaderOf(topic, partition));
  } finally {
    cluster.close();
  }
}

function openSocket({ host: asked, port, ssl, onConnect }: ISocketFactoryArgs): Socket {
  const host = hostOf(asked);
  // A server is told by which of its names it is asked for. An address is none: TLS forbids it there, and servers refuse it.
  const named = isIP(host) ? {} : { servername: host };
  const socket = ssl ? connectTls({ host, port, ...named, ...ssl }, onConnect) : connectTcp({ host, port }, onConnect);
  // Nagle's algorithm would hold small replies back for up to 40 ms.
  return socket.setNoDelay(true).setKeepAlive(true, 60_000);
}

const Broker = kafkaJsModule<new (options: object) => BrokerConnection>('broker/index');
const ConnectionPool = kafkaJsModule<new (options: object) => object>('network/connectionPool');
const { createLogger } = kafkaJsModule<{ createLogger: (options: object) => object }>('loggers/index');

function connectWith(connection: object, to: Logger): (host: string, port: number) => BrokerConnection {
  const logger = createLogger({ level: logLevel.WARN, logCreator: logTo(to) });
  const options = { ...connection, logger, requestTimeout: NEVER_MS };
  return (host, port) => new Broker({ logger, connectionPool: new ConnectionPool({ ...options, host, port }) });
}

function sasl(settings: KafkaSettings): SASLOptions | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = settings;
  if (!mechanism) return undefined;
  if (!username || !password) {
    throw new Error('KAFKA_SASL_MECHANISM needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD');
  }
  return { mechanism, username, password } as SASLOptions;
}
