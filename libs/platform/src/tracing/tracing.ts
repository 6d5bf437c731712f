import { AsyncLocalStorage } from 'node:async_hooks';
import type { OtlpSettings } from '../configuration/otlp-settings.js';
import type { AttributesOf, SpanName } from './spans.js';
import { childTraceparent } from './traceparent.js';
import { type Reporter, type Span, type Tracer, NonRecordingSpan } from './tracer.js';

let tracer: Tracer | null = null;
const active = new AsyncLocalStorage<Span | undefined>();

/**
 * Starts tracing if an endpoint is configured, and returns the function that stops it. OpenTelemetry's SDK is loaded only then, so that
 * without tracing it costs neither memory nor request time.
 */
export async function startTracing(settings: OtlpSettings, reporter: Reporter): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings;
  if (endpoint === undefined) return () => Promise.resolve();
  const { openTracer } = await import('./open-telemetry.js');
  const opened = openTracer({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, reporter);
  tracer = opened;
  return async () => {
    await opened.stop();
    tracer = null;
  };
}

/** Continues an incoming trace in this process. Also needed without tracing, for the ids in logs and in outgoing messages. */
export function continueTrace<N extends SpanName>(
  type: N,
  name: string,
  incoming: string | undefined,
  attributes: AttributesOf<N>,
): Span<N> {
  if (tracer) return tracer.begin(type, name, attributes, { parent: incoming });
  return new NonRecordingSpan(childTraceparent(incoming));
}

/** Begins a span below `parent`, by default the active span; undefined if it would not be recorded. */
export function beginChildSpan<N extends SpanName>(
  type: N,
  name: string,
  attributes: AttributesOf<N>,
  parent: Span | string | undefined = active.getStore(),
): Span<N> | undefined {
  if (!tracer || parent === undefined) return undefined;
  // Work that began in a request, such as a live stream, may continue after its span has ended.
  if (typeof parent !== 'string' && !parent.isRecorded) return undefined;
  const span = tracer.begin(type, name, attributes, { parent });
  return span.isRecorded ? span : undefined;
}

/** The active span; undefined if there is none or it is not recorded. */
export const activeSpan = (): Span | undefined => (tracer ? active.getStore() : undefined);

/** Runs `work` with this span as the parent of its spans. With undefined, `work` begins no spans. */
export function withSpan<T>(span: Span | undefined, work: () => T): T {
  return tracer ? active.run(span?.isRecorded ? span : undefined, work) : work();
}

/** Runs `work` in a new span below the active one. A rejection marks the span as failed. */
export function traced<N extends SpanName, T>(
  type: N,
  name: string,
  attributes: AttributesOf<N>,
  work: () => Promise<T>,
): Promise<T> {
  const span = beginChildSpan(type, name, attributes);
  return span ? ending(span, work) : work();
}

/**
 * Runs `work` that belongs to several spans in one new span, below the first and linked to the others. Without recorded spans, `work`
 * runs outside any span.
 */
export function tracedBatch<T>(name: string, spans: readonly (Span | undefined)[], work: () => Promise<T>): Promise<T> {
  if (!tracer) return work();
  const [parent, ...links] = spans.filter((span): span is Span => span?.isRecorded === true);
  if (!parent) return withSpan(undefined, work);
  const attributes = { 'messaging.batch.message_count': spans.length };
  return ending(tracer.begin('batch', name, attributes, { parent, links }), work);
}

async function ending<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await withSpan(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end(errorTypeOf(error));
    throw error;
  }
}

/** Type of an error: a code such as an SQLSTATE, else its class name. Never the message, which may contain personal data. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : error.name;
}
