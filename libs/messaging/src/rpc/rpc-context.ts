import type { Actor, Locale } from '@po/contracts';

/** The context that a request handler gets with its payload (`@Ctx()`). The actor is already verified. */
export interface RpcContext {
  type: string;
  actor: Actor;
  /** The signed header itself, to forward when this service sends a request to another one for the same caller. */
  actorToken: string;
  requestId: string;
  /** Created once per HTTP request; a redelivered command has the same id. */
  commandId: string;
  /** Deadline of the caller: epoch milliseconds of this machine's clock. */
  deadline: number;
  locale: Locale;
  /** Path of the HTTP request without its query. */
  path: string;
  method: string;
  idempotencyKey: string | null;
  idempotencyOrigin: 'client' | 'minted';
  ifMatch: string | null;
  ifNoneMatch: string | null;
  traceparent: string;
  /**
   * Reserves memory for an answer of about this many bytes, from before it is read until it is sent. Rejects with UNAVAILABLE if other
   * large answers occupy the memory for too long.
   */
  reserve(bytes: number): Promise<void>;
}

/** Answers the validated request of one pattern with a Reply. */
export type RpcHandler = (request: unknown, context: RpcContext) => Promise<unknown>;
