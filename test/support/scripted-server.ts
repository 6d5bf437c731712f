import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type Script = (response: ServerResponse) => void;

/** Answers each request by the next script, and by the last one for ever; keeps what came. */
export interface ScriptedServer {
  baseUrl: string;
  seen: Seen[];
  scripts: Script[];
  stop: () => void;
}

export async function startScripted(): Promise<ScriptedServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      scripted.seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      (scripted.scripts.length > 1 ? scripted.scripts.shift() : scripted.scripts[0])?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const scripted: ScriptedServer = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    seen: [],
    scripts: [],
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return scripted;
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Script =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

export const problem = (status: number, code: string, headers: Record<string, string> = {}, members = {}): Script =>
  json(
    status,
    { type: '/problems/x', title: code, status, detail: `no: ${code}`, code, requestId: 'r-1', ...members },
    { 'content-type': 'application/problem+json; charset=utf-8', ...headers },
  );
