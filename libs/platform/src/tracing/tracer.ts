import type { Logger } from '../logger.js';
import type { AttributesOf, SpanName } from './spans.js';

/** One step of a trace, that was begun. */
export interface Span<N extends SpanName = SpanName> {
  /** W3C `traceparent` header for the next service. */
  readonly traceparent: string;
  /** Whether anything of it is kept, and it has not ended. */
  readonly isRecorded: boolean;
  /** Renames the span once more is known. The name never contains input of a client. */
  rename(name: string): void;
  set(attributes: AttributesOf<N>): void;
  /** Ends it; what ended stays as it is. `errorType`: in few different words what failed here. */
  end(errorType?: string): void;
}

/** Makes spans and sends them off. */
export interface Tracer {
  begin<N extends SpanName>(type: N, name: string, attributes: AttributesOf<N>, place: Place): Span<N>;
  /** Sends what is left, for two seconds at most. Never rejects. */
  stop(): Promise<void>;
}

/** Where a span belongs. Without a parent, or with a bad one, it begins a trace. */
export interface Place {
  parent: Span | string | undefined;
  /** Others that it is of, too. */
  links?: readonly Span[];
}

/** Who reports, as the traces' resource. */
export interface Reporter {
  service: string;
  instanceId: string;
  logger: Logger;
}

/** A step that nothing is kept of: it passes the trace on. */
export class Unrecorded implements Span {
  readonly isRecorded = false;

  constructor(readonly traceparent: string) {}

  rename(): void {}

  set(): void {}

  end(): void {}
}
