import { Agent, request } from 'node:http';
import { type Quantiles, quantilesOf } from '../load/quantiles.js';
import { type Act, WARM_UP } from './timing.js';

export interface HttpRequest {
  method: 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** Behind `/api`. */
  path: string;
  token: string;
  body?: unknown;
}

export interface HttpFigures extends Quantiles {
  /** Answers other than 200. */
  failed: number;
  /** The first of them, for a reader who wonders. */
  firstFailure: string | null;
}

/** So many keep-alive connections to the gateway. */
export class HttpClient {
  private readonly agent: Agent;

  constructor(
    private readonly gatewayUrl: string,
    connections: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Resolves, when the answer is complete, with null for 200 and with what came for any other status. */
  ask({ method, path, token, body }: HttpRequest): Promise<string | null> {
    const json = body === undefined ? null : JSON.stringify(body);
    const content =
      json === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) };
    const headers = { 'x-user-token': token, ...content };
    return new Promise((resolve, reject) => {
      const asking = request(`${this.gatewayUrl}/api${path}`, { agent: this.agent, method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const refused = () => `${answer.statusCode} ${Buffer.concat(chunks).toString('utf8', 0, 300)}`;
          resolve(answer.statusCode === 200 ? null : refused());
        });
      });
      asking.on('error', reject);
      asking.end(json ?? undefined);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

export interface HttpLoad {
  connections: number;
  requests: number;
  /** Done before each request of a single connection, without counting. */
  before?: Act | undefined;
}

/** Asks so often, one request in flight on each connection; `next` makes the request of this number, from 0. */
export async function timedOverHttp(
  gatewayUrl: string,
  { connections, requests, before }: HttpLoad,
  next: (nth: number) => HttpRequest,
): Promise<HttpFigures> {
  const client = new HttpClient(gatewayUrl, connections);
  const taken: number[] = [];
  const failures: string[] = [];
  let asked = 0;
  const askNext = async () => {
    const nth = asked;
    asked += 1;
    await before?.(nth);
    const startedAt = performance.now();
    const failure = await client.ask(next(nth));
    if (nth >= WARM_UP) taken.push(performance.now() - startedAt);
    if (failure !== null) failures.push(failure);
  };
  while (asked < WARM_UP) await askNext();
  const last = WARM_UP + requests;
  const work = async () => {
    while (asked < last) await askNext();
  };
  await Promise.all(Array.from({ length: connections }, work));
  client.close();
  return { ...quantilesOf(taken), failed: failures.length, firstFailure: failures[0] ?? null };
}
