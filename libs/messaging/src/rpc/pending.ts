import type { ProblemError, ReplyHttpHeader, RpcPattern } from '@po/contracts';
import { type Span, beginChildSpan } from '@po/platform';
import type { Sending } from '../publishing/publisher.js';
import type { RpcRequest } from './rpc-headers.js';
import type { Routed } from './routing.js';

/** A reply. The body is JSON or problem JSON as the service wrote it. */
export interface RpcReply {
  status: number;
  headers: Partial<Record<ReplyHttpHeader, string>>;
  body: Buffer;
}

/** A request that waits for its reply. */
export interface Pending {
  pattern: RpcPattern;
  payload: string;
  request: RpcRequest;
  commandId: string;
  deadline: number;
  /** All sends: a reply to any of them answers the request. */
  sends: Sent[];
  timer: NodeJS.Timeout | undefined;
  startedAt: number;
  span: Span<'rpcClient'> | undefined;
  resolve: (response: RpcReply) => void;
  reject: (problem: ProblemError) => void;
}

export interface Sent extends Routed {
  sending: Sending;
}

/** The span of a request, from its first send on, and the request with that span as its parent. */
export function traceOf(pattern: RpcPattern, request: RpcRequest): Pick<Pending, 'span' | 'request'> {
  const { type, topic } = pattern;
  const attributes = { 'messaging.destination.name': topic, 'rpc.method': type };
  const span = beginChildSpan('rpcClient', type, attributes, request.traceparent);
  return { span, request: span ? { ...request, traceparent: span.traceparent } : request };
}

/** Ends the span of a request with the status of its reply, or with the reason if there is none. */
export function endTraceOf({ span, sends }: Pending, outcome: number | string): void {
  if (!span) return;
  span.set({ 'po.rpc.sends': sends.length });
  if (typeof outcome === 'number') span.set({ 'rpc.response.status_code': String(outcome) });
  span.end(typeof outcome === 'string' || outcome >= 500 ? String(outcome) : undefined);
}
