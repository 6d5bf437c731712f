/**
 * The layers of each package, from the top down: a file imports from its own layer and from those below. Layers on one level
 * do not know each other. A name with ".ts" is a file beside the folders; "." is every other one.
 */
export const LAYERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'libs/messaging/src': [
    ['.'],
    ['nest'],
    ['rpc'],
    ['consuming'],
    ['dead-letters', 'outbox', 'topics'],
    ['publishing'],
    ['connect-kafka.ts'],
    ['kafkajs', 'in-memory'],
    ['kafka-port.ts', 'metrics.ts'],
  ],
  'libs/spreadsheets/src': [['index.ts'], ['csv', 'xlsx'], ['.']],
  'services/purchase-orders/src': [
    ['.'],
    ['republish', 'inventory'],
    ['orders'],
    ['lists', 'idempotency'],
    ['store'],
    ['migrations'],
    ['config.ts'],
    ['domain'],
  ],
  'services/gateway/src': [
    ['.'],
    ['stream'],
    ['routes', 'documentation', 'portal'],
    ['config.ts'],
    ['rate-limit', 'authentication', 'spreadsheets'],
    ['http'],
    ['admission'],
  ],
  'services/notifications/src': [['.'], ['fan-out', 'retention'], ['inbox'], ['store'], ['migrations'], ['config.ts']],
  'services/portal/src': [
    ['.'],
    ['app'],
    ['dashboard'],
    ['orders', 'order', 'notifications'],
    ['exchange'],
    ['states', 'elements', 'kept'],
    ['api', 'session'],
    ['language'],
    ['theme'],
  ],
  'services/dashboard/src': [['.'], ['rebuilding'], ['projection'], ['config.ts']],
  'deploy/local': [['commands'], ['stack'], ['stores', 'demo', 'generator'], ['processes', 'logs'], ['.']],
};
