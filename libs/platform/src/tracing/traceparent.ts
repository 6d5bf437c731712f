import { randomUUID } from 'node:crypto';

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The parts of a W3C `traceparent`, in hex; null if it is absent or invalid. */
export function partsOfTraceparent(
  traceparent: string | undefined,
): { traceId: string; spanId: string; flags: string } | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  return traceId && spanId && flags ? { traceId, spanId, flags } : null;
}

/**
 * A W3C `traceparent` of the same trace with a span id of our own; of a new trace if the incoming one is absent or bad. A new one is
 * not sampled: nobody keeps anything of it here, and whoever goes on with it must not either for this.
 */
export function childTraceparent(incoming: string | undefined): string {
  const { traceId, flags } = partsOfTraceparent(incoming) ?? { traceId: randomHex(), flags: '00' };
  return `00-${traceId}-${randomHex().slice(16)}-${flags}`;
}

// Node keeps random bytes for many UUIDs ahead; randomBytes() would ask the system for each request. Never all zeros: a UUID's
// version and variant are not.
function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}

/** The 32 hex digits of the trace, or undefined if the header is absent or bad. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return TRACEPARENT.exec(traceparent ?? '')?.[1];
}
