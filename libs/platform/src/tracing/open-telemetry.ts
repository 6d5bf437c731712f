import {
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  diag,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { endsWithin } from '../back-off.js';
import { VERSION } from '../configuration/config.js';
import type { Logger } from '../logger.js';
import { type OtlpSettings, tracesUrl } from '../configuration/otlp-settings.js';
import { type AttributesOf, type Kind, SPANS, type SpanName } from './spans.js';
import { partsOfTraceparent } from './traceparent.js';
import { type SpanRelations, type Reporter, type Span, type Tracer, NonRecordingSpan } from './tracer.js';

/** Time limit of one export, including its retries. */
const EXPORT_MS = 5_000;
/** Time limit of the last export during a drain. */
const LAST_EXPORT_MS = 2_000;
/** Interval between exports while batches are not full. */
const EXPORT_EVERY_MS = 1_000;
/** Queue limit for spans; further spans are dropped. */
const MAX_WAITING = 4_096;
const MAX_BATCH = 512;
/** Concurrent export requests: enough to send a full queue at once when the process stops. */
const MAX_EXPORTS = MAX_WAITING / MAX_BATCH;
const MAX_VALUE_LENGTH = 256;
const LINE_EVERY_MS = 60_000;
const RECORDED = 1;

const KINDS: Record<Kind, SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** Creates spans with OpenTelemetry's SDK and exports them in batches by OTLP over HTTP, from a bounded queue. */
export function openTracer(
  settings: OtlpSettings & { OTEL_EXPORTER_OTLP_ENDPOINT: string },
  { service, instanceId, logger }: Reporter,
): Tracer {
  const exporter = new OTLPTraceExporter({
    url: tracesUrl(settings.OTEL_EXPORTER_OTLP_ENDPOINT),
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    timeoutMillis: EXPORT_MS,
    concurrencyLimit: MAX_EXPORTS,
  });
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': service,
        'service.namespace': 'po-collaboration',
        'service.version': VERSION,
        'service.instance.id': instanceId,
        ...settings.OTEL_RESOURCE_ATTRIBUTES,
      }),
    ),
    sampler: samplerOf(settings),
    spanLimits: { attributeValueLengthLimit: MAX_VALUE_LENGTH },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_WAITING,
        maxExportBatchSize: MAX_BATCH,
        scheduledDelayMillis: EXPORT_EVERY_MS,
        exportTimeoutMillis: EXPORT_MS,
      }),
    ],
  });
  reportTo(logger);
  const tracer = provider.getTracer('po-collaboration', VERSION);
  return {
    begin: (type, name, attributes, { parent, links }) => {
      const { kind, fixed } = SPANS[type];
      const context = contextOf(parent, kind !== 'client');
      const span = tracer.startSpan(
        name,
        {
          kind: KINDS[kind],
          attributes: { ...fixed, ...attributes },
          ...(links && { links: links.flatMap((link) => linkTo(link)) }),
        },
        context ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT,
      );
      return span.isRecording() ? new Recorded(span) : new NonRecordingSpan(traceparentOf(span.spanContext()));
    },
    stop: async () =>
      void (await endsWithin(
        LAST_EXPORT_MS,
        provider.shutdown().catch(() => undefined),
      )),
  };
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: OtlpSettings): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
    default:
      return name satisfies never;
  }
}

/** Logs at most one line a minute with the number of failures, because exports to an unavailable collector fail every second. */
function reportTo(logger: Logger): void {
  let loggedAt = -Infinity;
  let unreported = 0;
  const report = (reason: string) => {
    unreported += 1;
    if (performance.now() - loggedAt < LINE_EVERY_MS) return;
    logger.warn({ reason: reason.slice(0, 300), times: unreported }, 'spans are lost');
    loggedAt = performance.now();
    unreported = 0;
  };
  setGlobalErrorHandler((error) => report(error instanceof Error ? error.message || error.name : 'an export failed'));
  const silent = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

function contextOf(parent: SpanRelations['parent'], isRemote = true): SpanContext | null {
  if (parent instanceof Recorded) return parent.context;
  const parts = partsOfTraceparent(typeof parent === 'string' ? parent : parent?.traceparent);
  if (!parts) return null;
  const { traceId, spanId, flags } = parts;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & RECORDED, isRemote };
}

const linkTo = (span: Span) => {
  const context = contextOf(span);
  return context ? [{ context }] : [];
};

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags & RECORDED ? '01' : '00'}`;

class Recorded<N extends SpanName> implements Span<N> {
  readonly traceparent: string;

  constructor(private readonly span: OtelSpan) {
    this.traceparent = traceparentOf(span.spanContext());
  }

  get isRecorded(): boolean {
    return this.span.isRecording();
  }

  get context(): SpanContext {
    return this.span.spanContext();
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(attributes: AttributesOf<N>): void {
    this.span.setAttributes(attributes);
  }

  end(errorType?: string): void {
    if (!this.isRecorded) return;
    if (errorType !== undefined) {
      this.span.setAttribute('error.type', errorType);
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}
