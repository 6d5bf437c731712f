import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TOPIC_MANIFEST } from '@po/contracts';
import { metricsRegistry, startMetrics } from '@po/platform';
import { parse } from 'yaml';
import { documents, pathsOf, tableOf, readText } from '@po/testing/documents';
import { SUBSCRIBED_TOPICS } from '../deploy/local/stack/backlog.js';
import { documentedMetrics, metricsIn, seriesNames } from './support/metrics.js';
import { faultsIn, metricsOf } from './support/promql.js';

interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

const { groups } = parse(readText('deploy/helm/po-collaboration/files/alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter((rule): rule is Rule & { alert: string } => rule.alert !== undefined);
const runbooks = documents.filter(({ path }) => path.startsWith('deploy/observability/runbooks/'));

const own = documentedMetrics();
startMetrics('test');
const ofNode = metricsIn(await metricsRegistry.metrics()).filter(({ name }) => /^(process|nodejs)_/.test(name));
const known = new Set([
  ...[...own, ...ofNode].flatMap(seriesNames),
  ...rules.flatMap(({ record }) => record ?? []),
  // Prometheus adds this metric for each target.
  'up',
]);

interface Panel {
  title: string;
  description?: string;
  fieldConfig?: { defaults: { unit: string } };
  targets?: { expr: string; legendFormat: string; datasource: { uid: string } }[];
}
interface Dashboard {
  uid: string;
  templating: { list: { name: string }[] };
  panels: Panel[];
}
const dashboards = pathsOf('deploy/helm/po-collaboration/files/dashboards/*.json').map((path) => ({
  path,
  ...(JSON.parse(readText(path)) as Dashboard),
}));
const drawn = dashboards.flatMap(({ path, panels }) =>
  panels.filter(({ targets }) => targets).map((panel) => ({ ...panel, place: `${basename(path)}: ${panel.title}` })),
);
/** Replaces the variables as Grafana does. */
const asAsked = (expr: string): string => expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, '.+');

/** PromQL expressions of rules, runbooks and dashboards, each with its place. */
const expressions: [place: string, expression: string][] = [
  ...rules.map(({ record, alert, expr }): [string, string] => [record ?? alert ?? '', expr]),
  ...drawn.flatMap(({ place, targets = [] }) => targets.map(({ expr }): [string, string] => [place, asAsked(expr)])),
  ...runbooks.flatMap(({ path, text }) =>
    [...text.matchAll(/^```promql\n([\s\S]*?)\n```$/gm)].map(([, expr = '']): [string, string] => [
      basename(path),
      expr,
    ]),
  ),
];

describe('alerts and runbooks', () => {
  it('correspond one to one', () => {
    const names = alerts.map(({ alert }) => alert);
    expect(names.length).toBeGreaterThan(20);
    expect(runbooks.map(({ path }) => basename(path, '.md')).toSorted()).toEqual(names.toSorted());
  });

  it('have a severity, a summary, a description with the value, and a runbook URL', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect([alert, labels]).toEqual([
        alert,
        { severity: expect.stringMatching(/^(page|ticket)$/), application: 'po-collaboration' },
      ]);
      expect([alert, annotations]).toEqual([
        alert,
        {
          summary: expect.stringMatching(/^\S.{10,90}\.$/),
          description: expect.stringContaining('{{ $value | humanize'),
          runbook_url: `https://runbooks.example.com/po-collaboration/${alert}.md`,
        },
      ]);
    }
  });

  it('page for stalled partitions of replicated topics, and open a ticket for those of topics with one replica', () => {
    const unreplicated = TOPIC_MANIFEST.filter((topic) => topic.ephemeral).map(({ topic }) => topic);
    for (const topic of Object.values(SUBSCRIBED_TOPICS).flat()) {
      const selecting = expressions.filter(([, expr]) => {
        const [, operator, pattern = ''] = /kafka_consumer_stalled_seconds\{.*topic(=~|!~)"(.+?)"/.exec(expr) ?? [];
        return operator && new RegExp(`^(${pattern})$`).test(topic) === (operator === '=~');
      });
      const expected = unreplicated.includes(topic) ? 'PoRequestsStalled' : 'PoPartitionStalled';
      expect([topic, ...selecting.map(([place]) => place)]).toEqual([topic, expected, `${expected}.md`]);
    }
  });

  it('have every section that an on-call engineer needs', () => {
    const parts = [
      ...['## Impact', '## Diagnosis', '## Causes', '## Mitigation'],
      ...['**Escalate when**', '**Do not**', '## Threshold'],
    ];
    const lacking = runbooks.flatMap(({ path, text }) =>
      parts.filter((part) => !text.includes(part)).map((part) => `${path}: ${part}`),
    );
    expect(lacking).toEqual([]);
  });
});

describe('PromQL expressions', () => {
  it('are found in rules, runbooks and dashboards', () => {
    expect(expressions.length).toBeGreaterThan(120);
    expect(ofNode.length).toBeGreaterThan(20);
  });

  it.each(expressions)('are valid and use only existing metrics: %s', (_, expression) => {
    expect(faultsIn(expression)).toEqual([]);
    expect(metricsOf(expression).length).toBeGreaterThan(0);
    expect(metricsOf(expression).filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('dashboards', () => {
  it('have variables for data source, namespace, service and instance, and use no others', () => {
    expect(dashboards).toHaveLength(4);
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(4);
    for (const { templating, panels } of dashboards) {
      const names = templating.list.map(({ name }) => name);
      expect(names).toEqual(['datasource', 'namespace', 'service', 'instance']);
      const variables = [...JSON.stringify(panels).matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => name);
      expect([...new Set(variables)].filter((name) => ![...names, '__rate_interval'].includes(name))).toEqual([]);
    }
  });

  it('select the namespace in every query', () => {
    const all = drawn.flatMap(({ place, targets = [] }) => targets.map(({ expr }) => [place, expr]));
    expect(all.filter(([, expr = '']) => !expr.includes('namespace=~"$namespace"'))).toEqual([]);
  });

  it('have a description, a unit, a variable data source and legends on every panel', () => {
    expect(drawn.length).toBeGreaterThan(40);
    for (const { place, description, fieldConfig, targets = [] } of drawn) {
      expect([place, description, fieldConfig?.defaults.unit]).toEqual([
        ...[place, expect.stringMatching(/^.{8,}/), expect.stringMatching(/./)],
      ]);
      expect(
        targets.filter(({ datasource, legendFormat }) => datasource.uid !== '${datasource}' || !legendFormat),
      ).toEqual([]);
    }
  });
});

describe('the runbooks', () => {
  const named = (pattern: RegExp) =>
    runbooks.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([, name = '']) => [basename(path), name]));

  it('name only existing metrics', () => {
    const prefixes = [...new Set([...known].map((name) => name.split('_')[0]))].join('|');
    const mentioned = named(new RegExp(`\`((?:${prefixes})_[a-z_]+)\``, 'g')).filter(
      ([, name]) => name !== 'po_vendor',
    );
    expect(mentioned.length).toBeGreaterThan(3);
    const names = new Set([...own, ...ofNode].map(({ name }) => name));
    expect(mentioned.filter(([, name = '']) => !names.has(name) && !known.has(name))).toEqual([]);
  });

  it('quote only existing log messages', () => {
    const quoted = named(/"([a-z][a-z …]{12,})"/g);
    expect(quoted.length).toBeGreaterThan(5);
    const sources = pathsOf('{libs,services}/*/src/**/*.ts').map(readText);
    const logged = (line: string) => line.split(' … ').every((part) => sources.some((source) => source.includes(part)));
    expect(quoted.filter(([, line = '']) => !logged(line))).toEqual([]);
  });
});

it('the documentation of failures names only existing alerts', () => {
  const names = tableOf('deploy/README.md', 'failures').flatMap((row) =>
    [...(row.at(-1) ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !alerts.some(({ alert }) => alert === name))).toEqual([]);
});
