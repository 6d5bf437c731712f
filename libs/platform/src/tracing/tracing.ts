import { AsyncLocalStorage } from 'node:async_hooks';
import type { OtlpSettings } from '../configuration/otlp-settings.js';
import type { AttributesOf, SpanName } from './spans.js';
import { childTraceparent } from './traceparent.js';
import { type Reporter, type Span, type Tracer, Unrecorded } from './tracer.js';

let tracer: Tracer | null = null;
const active = new AsyncLocalStorage<Span | undefined>();

/**
 * Begins to trace if an endpoint is configured; returns what ends it. Only then OpenTelemetry's SDK is loaded: without it a process
 * is as large, and a request as fast, as if there were none.
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

/** Takes up a trace where work comes into this process; without tracing, too, for the ids in logs and in what is passed on. */
export function takeUp<N extends SpanName>(
  type: N,
  name: string,
  incoming: string | undefined,
  attributes: AttributesOf<N>,
): Span<N> {
  if (tracer) return tracer.begin(type, name, attributes, { parent: incoming });
  return new Unrecorded(childTraceparent(incoming));
}

/** A span below `parent`, the active one if absent; undefined where nothing would be kept of it. */
export function beginBelow<N extends SpanName>(
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

/** The span that is active, if there is one of which something is kept. */
export const activeSpan = (): Span | undefined => (tracer ? active.getStore() : undefined);

/** Runs `work` so that spans that begin in it are below this one; for undefined so that none begins. */
export function within<T>(span: Span | undefined, work: () => T): T {
  return tracer ? active.run(span?.isRecorded ? span : undefined, work) : work();
}

/** Runs `work` in a span of its own below the active one; a rejection is its failure. */
export function traced<N extends SpanName, T>(
  type: N,
  name: string,
  attributes: AttributesOf<N>,
  work: () => Promise<T>,
): Promise<T> {
  const span = beginBelow(type, name, attributes);
  return span ? ending(span, work) : work();
}

/**
 * Runs `work` that is of several spans at once, in one span for them all: below the first, linked to the others. Without any it runs
 * outside of all spans.
 */
export function tracedTogether<T>(
  name: string,
  spans: readonly (Span | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  if (!tracer) return work();
  const [parent, ...links] = spans.filter((span): span is Span => span?.isRecorded === true);
  if (!parent) return within(undefined, work);
  const attributes = { 'messaging.batch.message_count': spans.length };
  return ending(tracer.begin('batch', name, attributes, { parent, links }), work);
}

async function ending<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await within(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end(errorTypeOf(error));
    throw error;
  }
}

/** What kind of error it is: a code such as an SQLSTATE, else its class. Never its message, which may say of whom it is. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : error.name;
}
