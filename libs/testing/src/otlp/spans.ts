import { type Message, bytesIn, messagesIn, numberIn, readMessage, textIn } from './protobuf.js';

type Value = string | number | boolean;
type Attributes = Record<string, Value>;

/** A span as received by a collector. */
export interface ReceivedSpan {
  /** Attributes of the process that created the span. */
  resource: Attributes;
  traceId: string;
  spanId: string;
  /** Empty for the root span of a trace. */
  parentSpanId: string;
  name: string;
  /** Epoch milliseconds. */
  beganAt: number;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  attributes: Attributes;
  /** Ids of linked spans. */
  links: string[];
  isError: boolean;
  /** Description of an error. */
  statusMessage: string;
  /** Names of the events in the span. */
  events: string[];
}

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const ERROR = 2;
/** Per millisecond. */
const NANOSECONDS = 1_000_000n;

/** The spans of an ExportTraceServiceRequest, with the field numbers of OpenTelemetry's proto files. */
export function spansOf(body: Buffer): ReceivedSpan[] {
  return messagesIn(readMessage(body), 1).flatMap((resourceSpans) => {
    const [resource] = messagesIn(resourceSpans, 1);
    const attributes = resource ? attributesIn(resource, 1) : {};
    return messagesIn(resourceSpans, 2).flatMap((scope) =>
      messagesIn(scope, 2).map((span) => spanOf(span, attributes)),
    );
  });
}

function spanOf(span: Message, resource: Attributes): ReceivedSpan {
  const [status] = messagesIn(span, 15);
  return {
    resource,
    traceId: bytesIn(span, 1).toString('hex'),
    spanId: bytesIn(span, 2).toString('hex'),
    parentSpanId: bytesIn(span, 4).toString('hex'),
    name: textIn(span, 5),
    beganAt: Number(bytesIn(span, 7).readBigUInt64LE() / NANOSECONDS),
    kind: KINDS[numberIn(span, 6)] ?? 'internal',
    attributes: attributesIn(span, 9),
    links: messagesIn(span, 13).map((link) => bytesIn(link, 2).toString('hex')),
    isError: status !== undefined && numberIn(status, 3) === ERROR,
    statusMessage: status ? textIn(status, 2) : '',
    events: messagesIn(span, 11).map((event) => textIn(event, 2)),
  };
}

const attributesIn = (message: Message, field: number): Attributes =>
  Object.fromEntries(messagesIn(message, field).map((pair) => [textIn(pair, 1), valueOf(messagesIn(pair, 2)[0])]));

function valueOf(any: Message | undefined): Value {
  if (any?.has(1)) return textIn(any, 1);
  if (any?.has(2)) return numberIn(any, 2) === 1;
  if (any?.has(3)) return numberIn(any, 3);
  throw new Error('an attribute is neither a string, a boolean nor an integer');
}
