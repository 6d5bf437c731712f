/** OpenTelemetry span kind: the span's role between processes. */
export type Kind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

interface SpanType {
  kind: Kind;
  /** Attributes with constant values. */
  fixed: Readonly<Record<string, string>>;
  /** Further attributes that the span may have. Any other attribute is not recorded. */
  attributes: readonly string[];
}

/**
 * All span types. Attributes follow OpenTelemetry's semantic conventions; the prefix `po.` marks our own. Neither attributes nor span
 * names may contain data of an order, a person or a request: no PO number, user, vendor, address, token, URL, body or error message.
 */
export const SPANS = {
  request: {
    kind: 'server',
    fixed: {},
    attributes: ['http.request.method', 'http.route', 'http.response.status_code', 'error.type'],
  },
  rpcClient: {
    kind: 'client',
    fixed: { 'messaging.system': 'kafka', 'messaging.operation.type': 'send' },
    attributes: ['messaging.destination.name', 'rpc.method', 'rpc.response.status_code', 'po.rpc.sends', 'error.type'],
  },
  rpcServer: {
    kind: 'server',
    fixed: { 'messaging.system': 'kafka', 'messaging.operation.type': 'process' },
    attributes: [
      'messaging.destination.name',
      'messaging.consumer.group.name',
      'rpc.method',
      'rpc.response.status_code',
      'error.type',
    ],
  },
  publish: {
    kind: 'producer',
    fixed: {
      'messaging.system': 'kafka',
      'messaging.operation.type': 'send',
      'messaging.operation.name': 'send',
    },
    attributes: ['messaging.destination.name', 'error.type'],
  },
  event: {
    kind: 'consumer',
    fixed: {
      'messaging.system': 'kafka',
      'messaging.operation.type': 'process',
      'messaging.operation.name': 'process',
    },
    attributes: [
      'messaging.destination.name',
      'messaging.destination.partition.id',
      'messaging.kafka.offset',
      'messaging.consumer.group.name',
      'po.event.attempts',
      'error.type',
    ],
  },
  batch: { kind: 'internal', fixed: {}, attributes: ['messaging.batch.message_count', 'error.type'] },
  transaction: {
    kind: 'internal',
    fixed: { 'db.system.name': 'postgresql' },
    attributes: ['db.namespace', 'error.type'],
  },
  statement: {
    kind: 'client',
    fixed: { 'db.system.name': 'postgresql' },
    attributes: ['db.namespace', 'db.query.summary', 'error.type'],
  },
  script: {
    kind: 'client',
    fixed: { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA' },
    attributes: ['db.stored_procedure.name', 'error.type'],
  },
} as const satisfies Record<string, SpanType>;

export type SpanName = keyof typeof SPANS;

/** Allowed attributes of a span of this type; undefined values are omitted. */
export type AttributesOf<N extends SpanName> = Partial<
  Record<(typeof SPANS)[N]['attributes'][number], string | number | undefined>
>;
