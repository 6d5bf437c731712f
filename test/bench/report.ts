/** Results of a scenario, printed and written to `.local/` as JSON. */
export interface Report {
  /** Titled tables. Numbers are not rounded; the keys of a row are the columns. */
  tables: { title: string; rows: readonly object[] }[];
  /** Sentences below the tables, such as the first error of a load. */
  notes: string[];
  /** Makes the command exit with 1. */
  failed?: boolean;
  /** Only written to the JSON file. */
  details?: object;
}

export function printReport({ tables, notes }: Report): void {
  for (const { title, rows } of tables.filter((table) => table.rows.length > 0)) {
    console.log(`\n${title}`);
    console.table(
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, rounded(value)]))),
    );
  }
  for (const note of notes) console.log(note);
}

/** Three significant digits; whole numbers from 100 on. */
function rounded(value: unknown): unknown {
  if (typeof value !== 'number') return value ?? '';
  return Number(Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));
}

/** Milliseconds. */
export interface Quantiles {
  p50: number;
  p95: number;
  p99: number;
}

/** Percentile of latencies in any order; NaN for none. */
export function quantilesOf(latencies: readonly number[]): Quantiles {
  const sorted = latencies.toSorted((a, b) => a - b);
  const quantile = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
  return { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) };
}
