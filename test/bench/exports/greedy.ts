import type { StackFile } from '#local/stack/stack-file.js';
import { progress } from '../lifetime.js';
import type { Quantiles } from '../load/quantiles.js';
import type { HttpRequest } from '../scale/http.js';
import { Neighbour } from './neighbour.js';

const AT_ONCE = 30;
/** A round of the other files: a burst is over in a third of a second, and a p99 needs hundreds of requests beside. */
const BURSTS = 10;

/** Exports that one user asks for at once, again and again: how many were made, and what somebody else noticed. */
export interface GreedyRow {
  name: string;
  made: number;
  refused: number;
  beside: Quantiles & { worst: number };
}

/** Asks ten times a round for all exports at once, while the neighbour asks for an order. */
export async function measureGreedyUser(
  { gatewayUrl }: StackFile,
  token: string,
  neighbours: HttpRequest,
  rounds: number,
): Promise<GreedyRow> {
  const name = `${AT_ONCE} exports of one user at once`;
  progress(name);
  const url = `${gatewayUrl}/api/purchase-order-exports?level=orders`;
  const statuses: number[] = [];
  const one = async () => {
    const answer = await fetch(url, { headers: { 'x-user-token': token } });
    await answer.arrayBuffer();
    statuses.push(answer.status);
  };
  const neighbour = new Neighbour(gatewayUrl, neighbours);
  await neighbour.beside(async () => {
    for (let burst = 0; burst < rounds * BURSTS; burst += 1) await Promise.all(Array.from({ length: AT_ONCE }, one));
  });
  neighbour.close();
  const count = (status: number) => statuses.filter((other) => other === status).length;
  return { name, made: count(200), refused: count(429), beside: neighbour.figures() };
}
