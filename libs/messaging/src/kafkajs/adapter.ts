import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Logger } from '@po/platform';
import kafkajs, { type Kafka as KafkaJs, type SASLOptions } from 'kafkajs';
import { adminPort } from './admin.js';
import { consumerPort } from './consumer.js';
import { logTo } from './log.js';
import { producerPort } from './producer.js';
import type { KafkaPort } from '../kafka-port.js';
import { patchPollLoop } from './patches/poll-loop-patch.js';
import { patchFetch } from './patches/fetch-patch.js';
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

/** Kafka over KafkaJS. Nothing is opened before the first producer, consumer or admin client connects. */
export function connectKafka(settings: KafkaSettings, clientId: string, logger: Logger): KafkaPort {
  patchConnection();
  patchPollLoop();
  patchProduce();
  patchFetch();
  const kafka = new Kafka({
    clientId,
    brokers: settings.KAFKA_BROKERS,
    ssl: settings.KAFKA_SSL ?? false,
    sasl: sasl(settings),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    enforceRequestTimeout: true,
    // Short and few: whoever sends knows its own deadline and starts over with a new connection.
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 3 },
    logLevel: logLevel.WARN,
    logCreator: logTo(logger),
    socketFactory: ({ host, port, ssl, onConnect }) => {
      const socket = ssl
        ? connectTls({ host, port, servername: host, ...ssl }, onConnect)
        : connectTcp({ host, port }, onConnect);
      // Nagle's algorithm would hold small replies back for up to 40 ms.
      return socket.setNoDelay(true).setKeepAlive(true, 60_000);
    },
  });
  return portOf(kafka);
}

function portOf(kafka: KafkaJs): KafkaPort {
  return {
    producer: (options) => producerPort(kafka, options),
    consumer: (options) => consumerPort(kafka, options),
    admin: () => adminPort(kafka),
  };
}

function sasl(settings: KafkaSettings): SASLOptions | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = settings;
  if (!mechanism) return undefined;
  if (!username || !password) {
    throw new Error('KAFKA_SASL_MECHANISM needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD');
  }
  return { mechanism, username, password } as SASLOptions;
}
