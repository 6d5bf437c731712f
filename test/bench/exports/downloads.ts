import type { ExportFormat, ExportLevel } from '@po/contracts';
import type { StackFile } from '#local/stack/stack-file.js';
import { progress } from '../lifetime.js';
import { type Quantiles, quantilesOf } from '../load/quantiles.js';
import type { HttpRequest } from '../scale/http.js';
import { type GatewayMemory, gatewayMemory, withPeak } from './gateway-memory.js';
import { Neighbour } from './neighbour.js';

/** A kind of file, downloaded again and again: medians, and of memory the most. */
export interface DownloadRow {
  name: string;
  status: number;
  bytes: number;
  seconds: number;
  firstByteMs: number;
  before: GatewayMemory;
  peak: GatewayMemory;
  /** Of a request that is made meanwhile. */
  beside: Quantiles & { worst: number };
}

export interface Download {
  name: string;
  query: string;
  token: string;
}

export const download = (
  name: string,
  format: ExportFormat,
  level: ExportLevel,
  token: string,
  filter = '',
): Download => ({ name, query: `format=${format}&level=${level}&sortField=amount${filter}`, token });

/** Downloads the file so often, while the neighbour asks for an order. */
export async function measureDownload(
  stack: StackFile,
  { name, query, token }: Download,
  neighbours: HttpRequest,
  rounds: number,
): Promise<DownloadRow> {
  progress(name);
  const url = `${stack.gatewayUrl}/api/purchase-order-exports?${query}`;
  await receive(url, token);
  const before = await gatewayMemory(stack);
  const neighbour = new Neighbour(stack.gatewayUrl, neighbours);
  const { result, peak } = await withPeak(stack, () =>
    neighbour.beside(async () => {
      const received: Awaited<ReturnType<typeof receive>>[] = [];
      for (let round = 0; round < rounds; round += 1) received.push(await receive(url, token));
      return received;
    }),
  );
  neighbour.close();
  const median = (of: 'seconds' | 'firstByteMs' | 'bytes') => quantilesOf(result.map((each) => each[of])).p50;
  return {
    ...{ name, status: result[0]?.status ?? 0, bytes: median('bytes') },
    ...{ seconds: median('seconds'), firstByteMs: median('firstByteMs') },
    ...{ before, peak, beside: neighbour.figures() },
  };
}

/** Takes all of the answer, and keeps nothing. Rejects when it breaks off. */
async function receive(url: string, token: string) {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers: { 'x-user-token': token } });
  let firstByteMs = Number.NaN;
  let bytes = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    if (bytes === 0) firstByteMs = performance.now() - startedAt;
    bytes += chunk.length;
  }
  return { status: answer.status, bytes, firstByteMs, seconds: (performance.now() - startedAt) / 1000 };
}
