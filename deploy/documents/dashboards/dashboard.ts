/** Grafana unit. */
export type Unit = 's' | 'reqps' | 'short' | 'percentunit' | 'bytes' | 'ops' | 'd';

export interface Query {
  expr: string;
  /** Legend of a line, with labels as `{{label}}`. */
  legend: string;
}

export interface Panel {
  title: string;
  /** Description of the panel, with the value that needs attention. */
  about: string;
  unit: Unit;
  queries: Query[];
  /** One number instead of lines over time. */
  single?: boolean;
}

export interface Row {
  title: string;
  panels: Panel[];
}

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
const SERVICES = 'po-collaboration/.+';

/** Label matchers of every series of a service, from the dashboard's variables. */
export const PICKED = 'namespace=~"$namespace",job=~"$service",instance=~"$instance"';

const variable = (name: string, label: string, metric: string, of: string) => ({
  name,
  label,
  type: 'query',
  datasource: DATASOURCE,
  refresh: 2,
  sort: 1,
  multi: true,
  includeAll: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
  query: { query: `label_values(${metric}, ${of})`, refId: name },
});

const VARIABLES = [
  { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
  variable('namespace', 'Namespace', `up{job=~"${SERVICES}"}`, 'namespace'),
  { ...variable('service', 'Service', `up{job=~"${SERVICES}"}`, 'job'), allValue: SERVICES },
  variable('instance', 'Instance', `up{job=~"$service",namespace=~"$namespace"}`, 'instance'),
];

const WIDTH = 24;
const ACROSS = 3;
const HEIGHT = 8;

/** Creates a dashboard for Grafana's import. `uid` must never change, because links use it. */
export function dashboard(uid: string, title: string, rows: readonly Row[]): object {
  const panels: object[] = [];
  let y = 0;
  const add = (panel: object) => panels.push({ id: panels.length + 1, ...panel });
  for (const row of rows) {
    add({ type: 'row', title: row.title, collapsed: false, gridPos: { x: 0, y, w: WIDTH, h: 1 }, panels: [] });
    y += 1;
    row.panels.forEach((panel, index) => {
      const w = WIDTH / ACROSS;
      add(drawn(panel, { x: (index % ACROSS) * w, y: y + Math.floor(index / ACROSS) * HEIGHT, w, h: HEIGHT }));
    });
    y += Math.ceil(row.panels.length / ACROSS) * HEIGHT;
  }
  return {
    uid,
    title,
    tags: ['po-collaboration'],
    timezone: 'browser',
    editable: true,
    schemaVersion: 39,
    version: 1,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: VARIABLES },
    links: [
      { type: 'dashboards', tags: ['po-collaboration'], title: 'Purchase orders', includeVars: true, keepTime: true },
    ],
    panels,
  };
}

function drawn({ title, about, unit, queries, single = false }: Panel, gridPos: object): object {
  return {
    type: single ? 'stat' : 'timeseries',
    title,
    description: about,
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: single
      ? { reduceOptions: { calcs: ['lastNotNull'] } }
      : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}
