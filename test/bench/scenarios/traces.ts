import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { progress, stopInTheEnd } from '../lifetime.js';
import { LABELS, type Measured, cpuTotal, errorNotes, measureLoad } from '../load/measure.js';
import { LoadProcess } from '../load/process.js';
import { importLoadedOrders } from '../orders.js';
import { type OptionsOf, folder, number, whole } from '../options.js';
import { type Report, medianOf } from '../report.js';
import { BenchStack } from '../stack.js';

/** After each start, of each kind, before anything is counted. */
const WARM_UP_S = 5;
const KINDS = ['get', 'transition'] as const;

/** `--rounds` of each side; `--before` is the root of another built checkout, which is measured, too. */
export const OPTIONS = {
  rounds: whole(3, 1, 20),
  seconds: number(10, 1, 600),
  connections: whole(16, 1, 256),
  before: folder,
};

interface TracesRow extends Measured {
  kind: (typeof KINDS)[number];
  side: string;
  /** Bytes a request that were sent to the collector. */
  sentBytes: number;
}

/** The same load on the same stores and orders without traces, with some of them and with all. */
export async function measure(options: OptionsOf<typeof OPTIONS>): Promise<Report> {
  const { rounds, seconds, connections, before } = options;
  const collector = await startCollector();
  const stack = await BenchStack.start();
  const client = await LoadProcess.start(stack);
  await importLoadedOrders(stack);
  const rows: TracesRow[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const { name: side, environment, build } of sidesOf(before, collector.url, round)) {
      await stack.restart(environment, build);
      const { gatewayUrls: urls, pids } = stack.file;
      const { gateway, purchaseOrders, notifications, dashboard } = pids;
      const services = { gateway, 'purchase-orders': purchaseOrders, 'fan-out': [...notifications, ...dashboard] };
      for (const kind of KINDS) {
        await client.execute('load', { kind, urls, connections, seconds: WARM_UP_S });
        await stack.settled();
        const sentBefore = collector.bytes();
        const measured = await measureLoad(stack, client, { kind, urls, connections, seconds }, services);
        rows.push({ kind, side, ...measured, sentBytes: (collector.bytes() - sentBefore) / measured.requests });
        progress(`round ${round + 1}, ${side}, ${kind}: ${measured.requestsPerSecond.toFixed(0)} a second`);
      }
    }
  }
  const title = `Medians of ${rounds}: requests a second (2xx), ms, CPU ms a request of the four services; x: as a multiple of off`;
  return {
    tables: [{ title, rows: medianRows(rows) }],
    notes: errorNotes(rows.map((row) => ({ ...row, name: `${LABELS[row.kind]}, ${row.side}` }))),
    details: rows,
  };
}

interface Side {
  name: string;
  environment: Record<string, string>;
  /** The root of the built checkout that it is of; this one's if absent. */
  build?: string;
}

/** All sides, each at another place in the next round, so that changes over time affect all. */
function sidesOf(before: string | null, collector: string, round: number): Side[] {
  const off = { OTEL_EXPORTER_OTLP_ENDPOINT: '' };
  const sampled = (ratio: string) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: ratio,
  });
  const sides: Side[] = [
    ...(before === null ? [] : [{ name: 'before', environment: off, build: before }]),
    { name: 'off', environment: off },
    { name: '1 %', environment: sampled('0.01') },
    { name: '100 %', environment: sampled('1') },
  ];
  const first = round % sides.length;
  return [...sides.slice(first), ...sides.slice(0, first)];
}

function medianRows(rows: readonly TracesRow[]): object[] {
  return [...new Set(rows.map(({ kind, side }) => JSON.stringify([kind, side])))].map((key) => {
    const [kind, side] = JSON.parse(key) as [TracesRow['kind'], string];
    const median = (of: string, value: (row: TracesRow) => number) =>
      medianOf(rows.filter((row) => row.kind === kind && row.side === of).map(value));
    const columns = (name: string, value: (row: TracesRow) => number) => ({
      [name]: median(side, value),
      [`x ${name}`]: median(side, value) / median('off', value),
    });
    return {
      what: LABELS[kind],
      traces: side,
      ...columns('req/s', ({ requestsPerSecond }) => requestsPerSecond),
      ...columns('p50', ({ p50 }) => p50),
      ...columns('p99', ({ p99 }) => p99),
      ...columns('CPU', cpuTotal),
      'bytes sent': Math.round(median(side, ({ sentBytes }) => sentBytes)),
    };
  });
}

/** Accepts and discards whatever is sent to it. */
async function startCollector(): Promise<{ url: string; bytes: () => number }> {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stopInTheEnd(() => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bytes: () => bytes };
}
