import 'reflect-metadata';
import { createLogger } from '@po/platform';
import { readConfig as readGatewayConfig } from '@po/gateway/dist/config.js';
import { readConfig as readServiceConfig } from '@po/purchase-orders/dist/config.js';
import { callersBy } from '../callers.js';
import { OrderHandlers } from '../order-handlers.js';
import { announceUrl } from '../side-process.js';
import { createDirectServer } from './server.js';

const gateway = readGatewayConfig();
const service = readServiceConfig();
const logger = createLogger('bench-direct', service.LOG_LEVEL);
const handlers = await OrderHandlers.connect(service, logger);
const server = createDirectServer(callersBy(gateway, logger), handlers);
announceUrl(await server.listen({ host: gateway.HOST, port: gateway.PORT }));
