import 'reflect-metadata';
import { AppModule } from '@po/gateway/dist/app.module.js';
import { Announcements } from '@po/gateway/dist/authentication/announcements.js';
import { readConfig } from '@po/gateway/dist/config.js';
import { createHttpApplication } from '@po/gateway/dist/http/http-application.js';
import { LocalWindows } from '@po/gateway/dist/rate-limit/local-windows.js';
import { RateLimits, WINDOW_MS } from '@po/gateway/dist/rate-limit/rate-limits.js';
import { Upstream } from '@po/gateway/dist/routes/upstream.js';
import { redisAt } from '@po/gateway/dist/start.js';
import { Streams } from '@po/gateway/dist/stream/streams.js';
import type { KafkaRpcClient } from '@po/messaging';
import { ActorSigner, Health, createLogger } from '@po/platform';
import { admissionBy, announceUrl, callersBy } from './order-handlers.js';
import { StockClient } from './stock-transport.js';

// The product's gateway with another client for requests to the services.
const config = readConfig();
const logger = createLogger('bench-stock-gateway', config.LOG_LEVEL);
const client = new StockClient(config.KAFKA_BROKERS);
// The gateway only uses `request`.
const asking = client as Pick<KafkaRpcClient, 'request'> as KafkaRpcClient;
const upstream = new Upstream(asking, ActorSigner.create(config.ACTOR_SIGNING_KEY));
const admission = admissionBy(config, logger);
// The product's gateway has announced all users. The product's Kafka client would patch the measured one.
const announcements = new Announcements({ send: () => Promise.resolve() }, logger);
const module = AppModule.register({
  upstream,
  streams: new Streams(redisAt(config.REDIS_URL, logger), upstream, logger, announcements),
  callers: callersBy(config, logger),
  announcements,
  rateLimits: new RateLimits({ take: () => Promise.resolve(null) }, new LocalWindows(WINDOW_MS), {
    read: 0,
    write: 0,
    export: 0,
  }),
  admission,
});
const app = await createHttpApplication(module, {
  corsOrigins: [],
  pages: [],
  admission,
  health: new Health(),
  logger,
});
await client.connect();
await app.listen(config.PORT, config.HOST);
announceUrl(await app.getUrl());
