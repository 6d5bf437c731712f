import { mkdtemp, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { pathsOf, readText } from '@po/testing/documents';
import { NAMESPACE, rendered, resourcesIn } from './chart.js';
import { runDir, tryTool } from '../../deploy/tools/fixtures/ops-tools.js';

const RULES = 'deploy/helm/po-collaboration/files/alerts.yaml';

const SERVICES = ['gateway', 'purchase-orders', 'notifications', 'dashboard', 'mail'];

interface Rule {
  alert?: string;
  labels: object;
  annotations: object;
}
/** promtool's test file, shortened: `fired` has the labels and the description that its rule does not state. */
interface CaseFile {
  evaluation_interval: string;
  tests: {
    name: string;
    /** Default: the evaluation interval. */
    interval?: string;
    series: Record<string, string>;
    expected: { at: string; alert: string; fired: { labels: object; description: string }[] }[];
  }[];
}

const { groups } = parse(readText(RULES)) as { groups: { rules: Rule[] }[] };
const alerts = groups.flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? []));
const ruleOf = (name: string) => groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === name);
const files = pathsOf('deploy/observability/tests/*.yaml');

const expectations = files
  .flatMap((path) => (parse(readText(path)) as CaseFile).tests)
  .flatMap(({ expected }) => expected);

/** Writes promtool's test file for only the alerts that it names, because promtool evaluates every rule at each step. Returns its path. */
async function caseFile(path: string): Promise<string> {
  const cases = parse(readText(path)) as CaseFile;
  const named = new Set(cases.tests.flatMap(({ expected }) => expected.map(({ alert }) => alert)));
  const own = groups.map((group) => ({
    ...group,
    rules: group.rules.filter(({ alert }) => alert === undefined || named.has(alert)),
  }));
  const tests = cases.tests.map(({ name, interval = cases.evaluation_interval, series, expected }) => ({
    name,
    interval,
    input_series: Object.entries(series).map(([id, values]) => ({ series: id, values })),
    alert_rule_test: expected.map(({ at, alert, fired }) => ({
      eval_time: at,
      alertname: alert,
      exp_alerts: fired.map(({ labels, description }) => ({
        exp_labels: { ...ruleOf(alert)?.labels, ...labels },
        exp_annotations: { ...ruleOf(alert)?.annotations, description },
      })),
    })),
  }));
  const dir = await mkdtemp(join(runDir(), 'cases-'));
  await writeFile(join(dir, 'rules.yaml'), stringify({ groups: own.filter(({ rules }) => rules.length > 0) }));
  await writeFile(join(dir, 'cases.yaml'), stringify({ ...cases, tests, rule_files: ['rules.yaml'] }));
  return join(dir, 'cases.yaml');
}

describe('the alerting rules', () => {
  it('are valid according to promtool, including its lint', async () => {
    expect(await tryTool('promtool', ['check', 'rules', '--lint=all', '--lint-fatal', RULES])).toMatchObject({
      code: 0,
    });
  });

  it.each(files.map((path) => [basename(path), path]))('fire exactly as the cases in %s expect', async (_, path) => {
    const { code, text } = await tryTool('promtool', ['test', 'rules', await caseFile(path)]);
    expect([code, code === 0 ? '' : text]).toEqual([0, '']);
  });

  it.each(alerts)('have cases that fire and cases that do not: %s', (alert) => {
    const expected = expectations.filter((expectation) => expectation.alert === alert);
    expect(new Set(expected.map(({ fired }) => fired.length > 0))).toEqual(new Set([true, false]));
  });
});

describe('the alerting rules in the chart', () => {
  const spec = async () => {
    const found = resourcesIn(await rendered('everything')).find(({ kind }) => kind === 'PrometheusRule');
    return found?.['spec'] as unknown;
  };

  it('are those of the file, with the namespace of the release and the runbook address and labels from the values', async () => {
    const expected = JSON.stringify({ groups })
      .replaceAll('{job=', `{namespace=\\"${NAMESPACE}\\",job=`)
      .replaceAll('https://runbooks.example.com/po-collaboration', 'https://wiki.example.com/orders')
      .replaceAll('"application":"po-collaboration"', '"application":"po-collaboration","team":"purchasing"');
    expect(await spec()).toEqual(JSON.parse(expected));
  });

  it('are valid according to promtool', async () => {
    const path = join(runDir(), 'chart-rules.yaml');
    await writeFile(path, stringify(await spec()));
    expect(await tryTool('promtool', ['check', 'rules', path])).toMatchObject({ code: 0 });
  });

  it('evaluate only their own installation: another one neither hides nor raises alerts', async () => {
    const dir = await mkdtemp(join(runDir(), 'two-installations-'));
    const rules = stringify(await spec());
    const others = rules.replaceAll(NAMESPACE, 'broken').replaceAll('team: purchasing', 'team: others');
    await Promise.all([writeFile(join(dir, 'rules.yaml'), rules), writeFile(join(dir, 'others.yaml'), others)]);
    const broken = { series: `up{job="po-collaboration/gateway",namespace="broken"}`, values: '0x80' };
    const failing = {
      series: `http_server_responses_total{job="po-collaboration/gateway",namespace="broken",status_class="5xx"}`,
      values: '0+100x80',
    };
    const series = SERVICES.flatMap((service) => [
      { series: `up{job="po-collaboration/${service}",namespace="another"}`, values: '1x80' },
      ...(service === 'mail'
        ? []
        : [{ series: `up{job="po-collaboration/${service}",namespace="${NAMESPACE}"}`, values: '1x80' }]),
    ]);
    const labels = `alertname="PoServiceDown",alertstate="firing",application="po-collaboration",severity="page",team="purchasing"`;
    const firing = `ALERTS{${labels},namespace="${NAMESPACE}",job="po-collaboration/mail"}`;
    const expected = {
      expr: 'ALERTS{team="purchasing"}',
      eval_time: '20m',
      exp_samples: [{ labels: firing, value: 1 }],
    };
    const test = { interval: '15s', input_series: [broken, failing, ...series], promql_expr_test: [expected] };
    const file = { rule_files: ['rules.yaml', 'others.yaml'], evaluation_interval: '15s', tests: [test] };
    await writeFile(join(dir, 'test.yaml'), stringify(file));
    const { code, text } = await tryTool('promtool', ['test', 'rules', join(dir, 'test.yaml')]);
    expect([code, code === 0 ? '' : text]).toEqual([0, '']);
  });
});
