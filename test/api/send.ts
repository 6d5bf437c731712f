import { once } from 'node:events';
import { Agent, type IncomingMessage, request as open } from 'node:http';
import type { RequestSpec } from '../../deploy/documents/access-rules/rule.js';
import { untilAvailable } from '../support/api-client.js';
import { readStack } from '../support/stack.js';
import { type Received, expectConformity } from './conformity.js';

export interface ApiRequest extends RequestSpec {
  method: string;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request unchanged, even one that `fetch` would refuse to send. Does not read the body of a live stream. */
export async function send({ method, path, headers, body }: ApiRequest, token?: string): Promise<Received> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  // Node sends the body of a DELETE or OPTIONS without its length, so the server would read it as another request.
  const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const outgoing = open(`${readStack().gatewayUrl}/api${path}`, {
    method,
    agent,
    headers: { ...(token === undefined ? {} : { 'x-user-token': token }), ...type, ...headers, ...length },
  });
  outgoing.end(text);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const received = {
    status: incoming.statusCode ?? 0,
    headers: new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
  };
  if (incoming.headers['content-type']?.startsWith('text/event-stream')) {
    outgoing.destroy();
    return { ...received, text: '', body: undefined };
  }
  const answer = Buffer.concat((await incoming.toArray()) as Buffer[]).toString('utf8');
  const isJson = /json/.test(incoming.headers['content-type'] ?? '') && answer !== '';
  return { ...received, text: answer, body: isJson ? (JSON.parse(answer) as unknown) : undefined };
}

/** Sends a request, repeats it while the API is unavailable, and checks every answer against the document. */
export const sendAndCheck = (request: ApiRequest, token?: string): Promise<Received> =>
  untilAvailable(request.headers ?? {}, async (headers) => {
    const received = await send({ ...request, headers }, token);
    expectConformity(request.method, request.path, received);
    return received;
  });
