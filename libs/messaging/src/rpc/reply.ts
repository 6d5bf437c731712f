import type { ReplyBodyOf, ReplyHttpHeader, RpcPattern } from '@po/contracts';

export type ReplyHeaders = Partial<Record<ReplyHttpHeader, string>>;

/** JSON that is already encoded, for example by another service. It is sent unchanged. */
export class SerializedJson {
  constructor(readonly bytes: Buffer | string) {}
}

/** The reply of a handler: an HTTP status, headers of the allow-list, and a body. */
export interface Reply<Body = unknown> {
  status: number;
  headers: ReplyHeaders;
  body: Body | SerializedJson;
}

/** The reply of the handler of a pattern. */
export type ReplyTo<P extends RpcPattern> = Reply<ReplyBodyOf<P>>;

/** A 200 with its body and headers. */
export function ok<Body>(body: Body, headers: ReplyHeaders = {}): Reply<Body> {
  return { status: 200, headers, body };
}

/** A 200 with an already encoded JSON body. */
export function okSerialized(json: Buffer | string, headers: ReplyHeaders = {}): Reply<never> {
  return { status: 200, headers, body: new SerializedJson(json) };
}

/** A 201 with the created resource and the path to read it, for example the request path plus its id. */
export function created<Body>(location: string, body: Body, headers: ReplyHeaders = {}): Reply<Body> {
  return { status: 201, headers: { ...headers, location }, body };
}

/** A 204: success without a body. */
export function noContent(): Reply<never> {
  return { status: 204, headers: {}, body: new SerializedJson('') };
}

/** A 304: the caller has this version already. */
export function notModified(headers: ReplyHeaders): Reply<never> {
  return { status: 304, headers, body: new SerializedJson('') };
}

/** The same reply with a serialized body, so that the stored bytes are the sent bytes. */
export function withSerializedBody<Body>(reply: Reply<Body>): Reply<Body> & { body: SerializedJson } {
  return { ...reply, body: new SerializedJson(serializeBody(reply)) };
}

/** The body as it goes over the wire. */
export function serializeBody({ body }: Reply): Buffer | string {
  return body instanceof SerializedJson ? body.bytes : JSON.stringify(body);
}
