import { z } from 'zod';
import { percentDecoded } from './percent-encoding.js';

/** Samplers by their OpenTelemetry names. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const TRACES_PATH = 'v1/traces';

/** Base URL of a collector that accepts OTLP over HTTP. */
export const otlpEndpoint = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
  .refine((url) => !url.includes('@'), { error: 'must not contain a user or password, which belong in the headers' })
  .refine((url) => !/[?#]/.test(url), { error: 'must have no query' })
  .refine((url) => !url.includes(TRACES_PATH), { error: `must be the base URL, to which /${TRACES_PATH} is appended` });

/** `key=value,key=value`, percent-encoded. */
const pairs = (isKey: RegExp, isValue: RegExp, error: string) =>
  z.string().transform((text, context): Record<string, string> => {
    const entries = text.split(',').map((pair) => pair.split(/=(.*)/s, 2).map((part) => percentDecoded(part.trim())));
    const isGood = ([key, value]: (string | null)[]) => isKey.test(key ?? '') && isValue.test(value ?? '');
    if (entries.every(isGood)) return Object.fromEntries(entries) as Record<string, string>;
    context.addIssue({ code: 'custom', message: error });
    return z.NEVER;
  });

export const otlpHeaders = pairs(
  /^[\w!#$%&'*+.^`|~-]+$/,
  /^[\x20-\x7e]+$/,
  'must be name=value pairs separated by commas, values percent-encoded: each value must be non-empty, visible ASCII',
);

export const resourceAttributes = pairs(
  /^[a-z][\w.-]*$/i,
  /^\P{Cc}{1,255}$/u,
  'must be key=value pairs separated by commas, values percent-encoded, of 1 to 255 characters',
);

export const tracesSampler = z.enum(SAMPLERS).default('parentbased_always_on');

export const samplerArgument = z.coerce.number().min(0).max(1).default(1);

export interface OtlpSettings {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_HEADERS?: Record<string, string> | undefined;
  OTEL_TRACES_SAMPLER: (typeof SAMPLERS)[number];
  OTEL_TRACES_SAMPLER_ARG: number;
  OTEL_RESOURCE_ATTRIBUTES?: Record<string, string> | undefined;
}

/** URL that traces are exported to. */
export const tracesUrl = (endpoint: string): string => `${endpoint.replace(/\/+$/, '')}/${TRACES_PATH}`;
