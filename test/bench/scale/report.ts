import { table } from '../report.js';
import type { ScaleResults, ScaleRow } from './scale.js';

/** Prints everything in tables: milliseconds, p50 / p95. */
export function printScale({ orders, imports, rows }: ScaleResults): void {
  const { created, unchanged, changed } = imports;
  process.stdout.write(`\n${orders} orders. Imported a second: new, the same again, with another quantity\n`);
  table([{ new: created, 'the same again': unchanged, 'another quantity': changed }]);
  process.stdout.write('\nMilliseconds, p50 and p95: straight in SQL, and over HTTP by number of connections\n');
  table(rows.map(line));
}

function line({ name, as, total, sql, http, failed }: ScaleRow): Record<string, unknown> {
  const byConnections = Object.entries(http).flatMap(([connections, { p50, p95 }]): [string, number][] => [
    [`x${connections} p50`, p50],
    [`x${connections} p95`, p95],
  ]);
  return {
    ...{ question: name, as, orders: String(total), 'SQL p50': sql.p50, 'SQL p95': sql.p95 },
    ...Object.fromEntries(byConnections),
    ...(failed > 0 ? { failed } : {}),
  };
}
