import type { Logger } from '../logger.js';
import type { AttributesOf, SpanName } from './spans.js';

/** A started span of a trace. */
export interface Span<N extends SpanName = SpanName> {
  /** W3C `traceparent` header for the next service. */
  readonly traceparent: string;
  /** Whether the span is recorded and has not ended. */
  readonly isRecorded: boolean;
  /** Renames the span once more is known. The name never contains client input. */
  rename(name: string): void;
  set(attributes: AttributesOf<N>): void;
  /** Ends the span, which then no longer changes. `errorType`: low-cardinality type of the failure. */
  end(errorType?: string): void;
}

/** Creates and exports spans. */
export interface Tracer {
  begin<N extends SpanName>(type: N, name: string, attributes: AttributesOf<N>, relations: SpanRelations): Span<N>;
  /** Exports the remaining spans, for at most two seconds. Never rejects. */
  stop(): Promise<void>;
}

/** Parent and links of a span. A span without a parent, or with an invalid one, begins a trace. */
export interface SpanRelations {
  parent: Span | string | undefined;
  /** Further spans that caused this one. */
  links?: readonly Span[];
}

/** Process that exports traces: its resource attributes and its logger. */
export interface Reporter {
  service: string;
  instanceId: string;
  logger: Logger;
}

/** A span that is not recorded and only propagates the trace. */
export class NonRecordingSpan implements Span {
  readonly isRecorded = false;

  constructor(readonly traceparent: string) {}

  rename(): void {}

  set(): void {}

  end(): void {}
}
