import type { Actor, Locale } from '@po/contracts';

/** The context that a request handler gets with its payload (`@Ctx()`). The actor was verified before. */
export interface RpcContext {
  type: string;
  actor: Actor;
  /** The signed header itself, to pass on when this service asks another one for the same caller. */
  actorToken: string;
  requestId: string;
  /** Minted once per HTTP request; a redelivered command carries the same one. */
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
   * Takes memory for an answer of about so many bytes, before it is read and until it is sent. Rejects with UNAVAILABLE when other large
   * answers have it for too long.
   */
  reserve(bytes: number): Promise<void>;
}

/** Answers the checked request of one pattern with a Reply. */
export type RpcHandler = (request: unknown, context: RpcContext) => Promise<unknown>;
