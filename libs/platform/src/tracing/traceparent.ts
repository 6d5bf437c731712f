import { randomUUID } from 'node:crypto';

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Hex parts of a W3C `traceparent`; null if it is absent or invalid. */
export function partsOfTraceparent(
  traceparent: string | undefined,
): { traceId: string; spanId: string; flags: string } | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  return traceId && spanId && flags ? { traceId, spanId, flags } : null;
}

/**
 * Returns a W3C `traceparent` for the same trace with a new span id, or for a new trace if the incoming header is absent or invalid. A
 * new trace is not sampled: this process records nothing of it, and it must not make the next service record anything.
 */
export function childTraceparent(incoming: string | undefined): string {
  const { traceId, flags } = partsOfTraceparent(incoming) ?? { traceId: randomHex(), flags: '00' };
  return `00-${traceId}-${randomHex().slice(16)}-${flags}`;
}

// randomUUID() caches random bytes for many calls, whereas randomBytes() needs a system call for each request. The result is never
// all zeros, because the version and variant of a UUID are not.
function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}

/** The 32 hex digits of the trace id; undefined if the header is absent or invalid. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return TRACEPARENT.exec(traceparent ?? '')?.[1];
}
