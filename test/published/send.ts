import { once } from 'node:events';
import { Agent, type IncomingMessage, request as open } from 'node:http';
import type { Request } from './requests.js';
import type { Received } from './verdict.js';

const agent = new Agent({ keepAlive: true });

/** Sends a request as it stands, also one that `fetch` would refuse to; paths begin behind `/api`. Of a live stream nothing is read. */
export async function send(gatewayUrl: string, { method, path, headers, body }: Request): Promise<Received> {
  // Node sends the body of a DELETE or OPTIONS without saying how long it is: what follows would be read as another request.
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const outgoing = open(`${gatewayUrl}/api${path}`, { method, headers: { ...headers, ...length }, agent });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const received = {
    status: incoming.statusCode ?? 0,
    headers: new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
  };
  if (incoming.headers['content-type']?.startsWith('text/event-stream')) {
    outgoing.destroy();
    return { ...received, text: '', body: undefined };
  }
  const chunks = (await incoming.toArray()) as Buffer[];
  const text = Buffer.concat(chunks).toString('utf8');
  const isJson = /json/.test(incoming.headers['content-type'] ?? '') && text !== '';
  return { ...received, text, body: isJson ? (JSON.parse(text) as unknown) : undefined };
}
