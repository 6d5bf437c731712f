import { say, table } from '../report.js';
import type { FanOutResult } from './fan-out.js';
import type { HttpFigures } from './http.js';
import type { ListRow } from './lists.js';
import type { RebuildResult } from './rebuild.js';
import type { RequestRow } from './requests.js';
import type { ScaleResults } from './scale.js';

/** Prints everything in tables. */
export function printScale({ options, imports, lists, requests, fanOut, rebuild }: ScaleResults): void {
  say(`\n${options.assortment.orders} orders`);
  if (imports) {
    say('\nImported a second: new, the same again, with another quantity');
    table([{ new: imports.created, 'the same again': imports.unchanged, 'another quantity': imports.changed }]);
  }
  if (lists) {
    say('\nMilliseconds, p50 and p95: straight in SQL, and over HTTP by number of connections');
    table(lists.map(listLine));
    sayFailures(lists.flatMap(({ name, http }) => Object.values(http).map((figures) => ({ name, http: figures }))));
  }
  if (requests) {
    say(
      '\nMilliseconds of one connection, p50 and p95: straight in SQL and over HTTP; of that the transport alone, by p50',
    );
    table(requestLines(requests));
    sayFailures(requests);
  }
  const works = [...(fanOut ? fanOutLines(fanOut) : []), ...(rebuild ? [rebuildLine(rebuild)] : [])];
  if (works.length > 0) {
    say('\nWhat is done behind requests');
    table(works);
  }
}

function listLine({ name, as, total, sql, http }: ListRow): object {
  const byConnections = Object.entries(http).flatMap(([connections, { p50, p95 }]): [string, number][] => [
    [`x${connections} p50`, p50],
    [`x${connections} p95`, p95],
  ]);
  const start = { question: name, as, orders: String(total), 'SQL p50': sql.p50, 'SQL p95': sql.p95 };
  return { ...start, ...Object.fromEntries(byConnections) };
}

/** Of each the share of the transport: the first row is that alone. */
export function requestLines(rows: readonly RequestRow[]): object[] {
  const alone = rows[0]?.http.p50 ?? Number.NaN;
  return rows.map(({ name, sql, http }) => ({
    ...{ request: name, 'SQL p50': sql?.p50, 'SQL p95': sql?.p95, 'HTTP p50': http.p50, 'HTTP p95': http.p95 },
    'transport %': (100 * alone) / http.p50,
  }));
}

function fanOutLines(result: FanOutResult): object[] {
  const { transitions, notifications, untilInInboxesSeconds, untilAnnouncedSeconds } = result;
  const line = (what: string, seconds: number) => ({
    what: `${notifications} notifications of ${transitions} transitions, ${what}`,
    ...{ seconds, 'a second': notifications / seconds },
  });
  return [
    line('until in the inboxes', untilInInboxesSeconds),
    line('until announced to other systems', untilAnnouncedSeconds),
  ];
}

const rebuildLine = ({ orders, seconds }: RebuildResult): object => ({
  what: `${orders} orders counted anew by the dashboard`,
  ...{ seconds, 'a second': orders / seconds },
});

function sayFailures(rows: readonly { name: string; http: HttpFigures }[]): void {
  for (const { name, http } of rows) {
    if (http.failed > 0) say(`  ${name}: ${http.failed} failed, the first: ${http.firstFailure}`);
  }
}
