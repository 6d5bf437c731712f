/** Where a span stands between processes, as OpenTelemetry has it. */
export type Kind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

interface SpanType {
  kind: Kind;
  /** Attributes that are always the same. */
  fixed: Readonly<Record<string, string>>;
  /** The other attributes that it may have; no others are recorded. */
  attributes: readonly string[];
}

/**
 * Every span there is, by OpenTelemetry's semantic conventions; those that begin with `po.` are ours. Nothing here may take what is of an
 * order, a person or a request: no PO number, user, vendor, address, token, URL, body, or the text of an error. Names neither.
 */
export const SPANS = {
  request: {
    kind: 'server',
    fixed: {},
    attributes: ['http.request.method', 'http.route', 'http.response.status_code', 'error.type'],
  },
  ask: {
    kind: 'client',
    fixed: { 'messaging.system': 'kafka', 'messaging.operation.type': 'send' },
    attributes: ['messaging.destination.name', 'rpc.method', 'rpc.response.status_code', 'po.rpc.sends', 'error.type'],
  },
  answer: {
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

/** Allowed attributes of a span of this type; undefined ones are left out. */
export type AttributesOf<N extends SpanName> = Partial<
  Record<(typeof SPANS)[N]['attributes'][number], string | number | undefined>
>;
