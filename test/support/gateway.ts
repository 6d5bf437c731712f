import { type Socket, connect } from 'node:net';
import { type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GROUPS, TOPICS } from '@po/contracts';
import { KafkaRpcClient, KafkaServer, PassErrorsOn, Publisher } from '@po/messaging';
import { Health } from '@po/platform';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { PATIENT } from '../../libs/messaging/src/fixtures/out-of-time.js';
import { InMemoryKafka } from '../../libs/messaging/src/in-memory/in-memory-kafka.js';
import { AppModule } from '../../services/gateway/src/app.module.js';
import { Announcements } from '../../services/gateway/src/authentication/announcements.js';
import { Callers } from '../../services/gateway/src/authentication/callers.js';
import { createHttpApplication } from '../../services/gateway/src/http/http-application.js';
import type { Page } from '../../services/gateway/src/http/pages.js';
import { Upstream } from '../../services/gateway/src/routes/upstream.js';
import { LocalWindows } from '../../services/gateway/src/rate-limit/local-windows.js';
import { RateLimits, WINDOW_MS } from '../../services/gateway/src/rate-limit/rate-limits.js';
import { SharedWindows, connectWindows } from '../../services/gateway/src/rate-limit/shared-windows.js';
import { type Pace, Streams } from '../../services/gateway/src/stream/streams.js';
import { actorKeys } from './actors.js';
import { eventually } from './eventually.js';
import type { IdentityProvider } from './identity-provider.js';
import { type RegisteredRoute, registeredRoutes } from './registered-routes.js';
import { openVerifier } from './token-verifier.js';

export interface RunningGateway {
  url: string;
  provider: IdentityProvider;
  kafka: InMemoryKafka;
  health: Health;
  routes: RegisteredRoute[];
  /** Lines of the gateway's log. */
  lines: Record<string, unknown>[];
  /** Calls it as the owner of a token; null or absent = without one. */
  call(path: string, init?: RequestInit & { token?: string | null }): Promise<Response>;
  /** Sends bytes as they are and answers what comes back until the connection ends, or until `enough` of it is there. */
  raw(bytes: string, enough?: (answer: string) => boolean): Promise<string>;
  /** As on a signal: live streams end, and no more are opened. */
  closeStreams(): Promise<void>;
  stop(): Promise<void>;
}

const RPC_TOPICS = [
  { group: GROUPS.queries, topic: TOPICS.queries, concurrency: 4 },
  { group: GROUPS.commands, topic: TOPICS.commands, concurrency: 4 },
  { group: GROUPS.notificationsRpc, topic: TOPICS.notificationsRpc, concurrency: 4 },
  { group: GROUPS.dashboardRpc, topic: TOPICS.dashboardRpc, concurrency: 4 },
];

/**
 * The gateway's own application on a free port: real HTTP, real tokens, the real transport over Kafka in this process. The
 * services behind it are the given Nest controllers; Redis is away unless one is given.
 */
export async function runGateway(
  options: {
    services?: (new () => object)[];
    corsOrigins?: string[];
    pages?: Page[];
    serve?: (instance: FastifyInstance) => Promise<void>;
    limits?: { read: number; write: number };
    redisUrl?: string;
    pace?: Pace;
  } = {},
): Promise<RunningGateway> {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const silent = pino({ level: 'silent' });
  const health = new Health();
  const { provider, keys, verifier: tokens, close: closeTokens } = await openVerifier();
  const kafka = new InMemoryKafka();
  const { signer, verifier } = await actorKeys();
  const services = await runServices(options.services ?? [], kafka, verifier);
  const client = new KafkaRpcClient({ kafka, logger: silent, instanceId: 'gateway-1', health, deadlines: PATIENT });
  const publisher = new Publisher(kafka, { acks: 'all', logger: silent });
  const announcements = new Announcements(publisher, silent);
  const { redisUrl = 'redis://127.0.0.1:1' } = options;
  const redis = connectWindows(redisUrl, silent);
  const upstream = new Upstream(client, signer);
  const streams = new Streams(redisUrl, upstream, silent, options.pace);
  const module = AppModule.register({
    upstream,
    streams,
    callers: new Callers(tokens, keys),
    announcements,
    rateLimits: new RateLimits(
      new SharedWindows(redis, WINDOW_MS),
      new LocalWindows(WINDOW_MS),
      options.limits ?? { read: 0, write: 0 },
    ),
  });
  const app = await createHttpApplication(module, {
    corsOrigins: options.corsOrigins ?? [],
    pages: options.pages ?? [],
    serve: options.serve,
    health,
    logger,
  });
  streams.start();
  await client.connect();
  await app.listen(0, '127.0.0.1');
  await eventually('the reply slot is there', () => health.notReady().length === 0);

  const { port } = app.getHttpServer().address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    call: (path, { token, headers, ...init } = {}) => {
      const sent = new Headers(headers);
      if (token) sent.set('x-user-token', token);
      return fetch(`${url}${path}`, { ...init, headers: sent });
    },
    provider,
    kafka,
    health,
    routes: registeredRoutes(app.getHttpAdapter().getInstance() as FastifyInstance),
    lines,
    raw: (bytes, enough = () => false) => exchangeRaw(connect(port, '127.0.0.1'), bytes, enough),
    closeStreams: () => streams.close(),
    stop: async () => {
      await streams.close();
      await app.close();
      await client.close();
      announcements.stop();
      await publisher.close();
      redis.disconnect();
      await services?.close();
      await closeTokens();
    },
  };
}

async function runServices(
  controllers: (new () => object)[],
  kafka: InMemoryKafka,
  actors: Awaited<ReturnType<typeof actorKeys>>['verifier'],
): Promise<INestMicroservice | null> {
  if (controllers.length === 0) return null;
  class ServicesModule {}
  Module({ controllers })(ServicesModule);
  const logger = pino({ level: 'silent' });
  const health = new Health();
  const strategy = new KafkaServer({ kafka, logger, health, groupSuffix: '', actors, rpc: RPC_TOPICS });
  const services = await NestFactory.createMicroservice(ServicesModule, { strategy, logger: false });
  services.useGlobalFilters(new PassErrorsOn());
  await services.listen();
  return services;
}

function exchangeRaw(socket: Socket, bytes: string, enough: (answer: string) => boolean): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      answer += chunk;
      if (enough(answer)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    socket.write(bytes);
  });
}
