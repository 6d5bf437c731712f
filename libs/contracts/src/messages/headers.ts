/** Kafka headers of requests and replies. The record's value is the JSON payload and nothing else. */
export const HEADERS = {
  messageType: 'x-msg-type',
  correlationId: 'x-correlation-id',
  /** Created once per HTTP request; redeliveries of the command carry the same one. */
  commandId: 'x-command-id',
  requestId: 'x-request-id',
  replyTopic: 'x-reply-topic',
  replyPartition: 'x-reply-partition',
  /** Epoch milliseconds of the client's clock after which the client no longer waits for the answer. */
  deadline: 'x-deadline',
  idempotencyKey: 'x-idempotency-key',
  /** 'client' or 'minted': a key from a client is kept for 24 h, a generated one until its deadline + 10 min. */
  idempotencyOrigin: 'x-idempotency-origin',
  /** HTTP method of the request behind a command, which is part of the scope of its idempotency key. */
  method: 'x-method',
  locale: 'x-locale',
  path: 'x-path',
  ifMatch: 'if-match',
  ifNoneMatch: 'if-none-match',
  /** The caller, signed by the gateway for queries in general or for the command that carries it. */
  actor: 'x-actor',
  traceparent: 'traceparent',
  /** On a request that was already sent by another route, which may still be answered. */
  resent: 'x-resent',
  httpStatus: 'x-http-status',
  /** On a request: accepted encodings for a large answer. Without it, the answer is not encoded. */
  acceptEncoding: 'x-accept-encoding',
  /** On a reply: encoding of its value. */
  contentEncoding: 'x-content-encoding',
  /** Added to the original record on a dead-letter topic. */
  deadLetterReason: 'x-dlq-reason',
  deadLetterTopic: 'x-dlq-topic',
  deadLetterPartition: 'x-dlq-partition',
  deadLetterOffset: 'x-dlq-offset',
  /** `record` on a dead letter without a copy of its record, which is unreadable or too large. */
  deadLetterWithout: 'x-dlq-without',
  /** On a record resent from a dead-letter topic: its origin as `<topic>/<partition>/<offset>`. */
  redrivenFrom: 'x-redriven-from',
  /** The inventory topic's record type. */
  inventoryType: 'type',
  cloudEventType: 'ce_type',
} as const;

/** HTTP headers that a service may set; each is sent as `h-<name>`. All others are dropped. */
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
