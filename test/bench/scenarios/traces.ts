import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stopAtEnd } from '../lifetime.js';
import { type Variant, errorNotes, figuresOf, measureTurns, multiplesOf } from '../load/measure.js';
import { MAX_CONNECTIONS, loadsOf } from '../load/requests.js';
import { importLoadedOrders } from '../orders.js';
import { type OptionsOf, number, wholeNumber } from '../options.js';
import type { Report } from '../report.js';
import { BenchStack } from '../stack.js';

/** Share of traces that is kept. The run without traces is repeated at the end to show drift over time. */
const VARIANTS: [string, string | null][] = [
  ['off', null],
  ['1 %', '0.01'],
  ['100 %', '1'],
  ['off again', null],
];
const KINDS = ['get', 'transition'] as const;

export const OPTIONS = { seconds: number(20, 1, 600), connections: wholeNumber(16, 1, MAX_CONNECTIONS) };

/** The same load on the same stores and orders without traces, with some of them and with all. */
export async function measure({ seconds, connections }: OptionsOf<typeof OPTIONS>): Promise<Report> {
  const collector = await startCollector();
  const stack = await BenchStack.start();
  const loads = loadsOf(stack.file);
  await importLoadedOrders(stack);
  const variants = VARIANTS.map(([name, ratio]): Variant => ({
    name,
    begin: () =>
      stack.restart({
        OTEL_EXPORTER_OTLP_ENDPOINT: ratio === null ? '' : collector.url,
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: ratio ?? '0',
      }),
    urls: () => stack.file.gatewayUrls,
    pids: () => {
      const { gateway, purchaseOrders, notifications, dashboard } = stack.file.pids;
      return { gateway, service: purchaseOrders, 'fan-out': [...notifications, ...dashboard] };
    },
    sent: collector.bytes,
  }));
  const turns = variants.flatMap((variant) => KINDS.map((kind) => ({ variant, kind, connections })));
  const rows = await measureTurns(stack, loads, turns, { seconds, warmUp: 5 });
  const title = 'Requests a second (2xx), ms, CPU ms and bytes sent a request of the four services';
  const multiples = variants.slice(1).flatMap(({ name }) => multiplesOf(rows, name, ['off']));
  return {
    tables: [
      { title, rows: rows.map((row) => ({ ...figuresOf(row), 'bytes sent': row.sentBytes })) },
      { title: 'As a multiple of off', rows: multiples },
    ],
    notes: errorNotes(rows),
  };
}

/** Accepts and discards all data. */
async function startCollector(): Promise<{ url: string; bytes: () => number }> {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stopAtEnd(() => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bytes: () => bytes };
}
