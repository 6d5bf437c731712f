/** Kafka headers of requests and replies. The record's value is the JSON payload and nothing else. */
export const HEADERS = {
  messageType: 'x-msg-type',
  correlationId: 'x-correlation-id',
  /** Minted once per HTTP request: a redelivered command carries the same one. */
  commandId: 'x-command-id',
  requestId: 'x-request-id',
  replyTopic: 'x-reply-topic',
  replyPartition: 'x-reply-partition',
  /** Epoch milliseconds of the client's clock after which nobody waits for the answer. */
  deadline: 'x-deadline',
  idempotencyKey: 'x-idempotency-key',
  /** 'client' or 'minted': a client's key is kept 24 h, a minted one until its deadline + 10 min. */
  idempotencyOrigin: 'x-idempotency-origin',
  /** HTTP method of the request behind a command: part of what an idempotency key belongs to. */
  method: 'x-method',
  locale: 'x-locale',
  path: 'x-path',
  ifMatch: 'if-match',
  ifNoneMatch: 'if-none-match',
  /** The caller, signed by the gateway for any query or for the command that carries it. */
  actor: 'x-actor',
  traceparent: 'traceparent',
  /** On a request that was sent before, by another route: it may still be answered. */
  resent: 'x-resent',
  httpStatus: 'x-http-status',
  /** On a request: how a large answer may be encoded. A caller without it gets it as it is. */
  acceptEncoding: 'x-accept-encoding',
  /** On a reply: how its value is encoded. */
  contentEncoding: 'x-content-encoding',
  /** Added to the original record on a dead-letter topic. */
  deadLetterReason: 'x-dlq-reason',
  deadLetterTopic: 'x-dlq-topic',
  deadLetterPartition: 'x-dlq-partition',
  deadLetterOffset: 'x-dlq-offset',
  /** `record` on a dead letter that has no copy of its record: nobody can read that, or it is too large. */
  deadLetterWithout: 'x-dlq-without',
  /** On a record that was sent again from a dead-letter topic: which one, as `<topic>/<partition>/<offset>`. */
  redrivenFrom: 'x-redriven-from',
  /** The inventory topic's record type. */
  inventoryType: 'type',
  cloudEventType: 'ce_type',
} as const;

/** HTTP headers that a service may set; each travels as `h-<name>`. Nothing else passes. */
export const REPLY_HTTP_HEADERS = [
  'etag',
  'location',
  'link',
  'x-total-count',
  'x-unread-count',
  'idempotency-replayed',
  'retry-after',
  'cache-control',
  'content-language',
] as const;
export type ReplyHttpHeader = (typeof REPLY_HTTP_HEADERS)[number];
