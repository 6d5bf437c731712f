import { mkdtemp, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { pathsOf, textOf } from '@po/testing/documents';
import { NAMESPACE, rendered, resourcesIn } from './chart.js';
import { type Outcome, runDir, tool } from '../../deploy/tools/fixtures/ops-tools.js';

const RULES = 'deploy/helm/po-collaboration/files/alerts.yaml';

const SERVICES = ['gateway', 'purchase-orders', 'notifications', 'dashboard', 'mail'];

interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  for?: string;
}
interface Case {
  name: string;
  alert_rule_test: { alertname: string; eval_time: string; exp_alerts: unknown[] }[];
}
interface CaseFile {
  evaluation_interval: string;
  tests: Case[];
}

const { groups } = parse(textOf(RULES)) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const recorded = rules.filter(({ record }) => record !== undefined);
const alerts = rules.filter((rule): rule is Rule & { alert: string } => rule.alert !== undefined);
const files = pathsOf('deploy/observability/tests/*.yaml');
const caseFiles = files.map((path) => parse(textOf(path)) as CaseFile);

const casesOf = ({ tests }: CaseFile, alert: string): Case[] =>
  tests.filter((test) => test.alert_rule_test.some(({ alertname }) => alertname === alert));
const expectationsOf = (alert: string) =>
  caseFiles
    .flatMap((file) => casesOf(file, alert))
    .flatMap((test) => test.alert_rule_test.filter(({ alertname }) => alertname === alert));

describe('the alerting rules', () => {
  it('are rules that Prometheus takes', async () => {
    expect(await tool('promtool', ['check', 'rules', '--lint=all', '--lint-fatal', RULES])).toMatchObject({ code: 0 });
  });

  it.each(files.map((path) => [basename(path), path]))(
    'fire and do not fire as %s has it',
    async (_, path) => {
      const { code, text } = await tool('promtool', ['test', 'rules', path]);
      expect([code, code === 0 ? '' : text]).toEqual([0, '']);
    },
    // Days of series: some seconds, and minutes on a busy machine.
    300_000,
  );

  it.each(alerts.map(({ alert }) => alert))('are each seen to fire, and not to fire: %s', (alert) => {
    const expected = expectationsOf(alert).map(({ exp_alerts: fired }) => fired.length > 0);
    expect(new Set(expected)).toEqual(new Set([true, false]));
  });
});

describe('the rules of the chart', () => {
  const spec = async () => {
    const found = resourcesIn(await rendered('everything')).find(({ kind }) => kind === 'PrometheusRule');
    return found?.['spec'] as unknown;
  };

  it('are these, with its namespace, and the address of the runbooks and the labels that the values say', async () => {
    const expected = JSON.stringify({ groups })
      .replaceAll('{job=', `{namespace=\\"${NAMESPACE}\\",job=`)
      .replaceAll('https://runbooks.example.com/po-collaboration', 'https://wiki.example.com/orders')
      .replaceAll('"application":"po-collaboration"', '"application":"po-collaboration","team":"purchasing"');
    expect(await spec()).toEqual(JSON.parse(expected));
  });

  it('are rules that Prometheus takes', async () => {
    const path = join(runDir(), 'chart-rules.yaml');
    await writeFile(path, stringify(await spec()));
    expect(await tool('promtool', ['check', 'rules', path])).toMatchObject({ code: 0 });
  });

  it('look at their own installation: another one hides nothing, and is not theirs to report', async () => {
    const dir = await mkdtemp(join(runDir(), 'two-installations-'));
    await writeFile(join(dir, 'rules.yaml'), stringify(await spec()));
    const broken = { series: `up{job="po-collaboration/gateway",namespace="broken"}`, values: '0x20' };
    const series = SERVICES.flatMap((service) => [
      { series: `up{job="po-collaboration/${service}",namespace="another"}`, values: '1x20' },
      ...(service === 'mail'
        ? []
        : [{ series: `up{job="po-collaboration/${service}",namespace="${NAMESPACE}"}`, values: '1x20' }]),
    ]);
    const labels = `alertname="PoServiceDown",alertstate="firing",application="po-collaboration",severity="page",team="purchasing"`;
    const firing = `ALERTS{${labels},namespace="${NAMESPACE}",job="po-collaboration/mail"}`;
    const expected = { expr: 'ALERTS', eval_time: '3m', exp_samples: [{ labels: firing, value: 1 }] };
    const test = { interval: '15s', input_series: [broken, ...series], promql_expr_test: [expected] };
    const file = { rule_files: ['rules.yaml'], evaluation_interval: '15s', tests: [test] };
    await writeFile(join(dir, 'test.yaml'), stringify(file));
    const { code, text } = await tool('promtool', ['test', 'rules', join(dir, 'test.yaml')]);
    expect([code, code === 0 ? '' : text]).toEqual([0, '']);
  });
});

/** What a number in a comparison, a direction or a time becomes: each change is one that somebody could make by mistake. */
function* mutationsOf({ expr, for: waits }: Rule): Generator<Pick<Rule, 'expr' | 'for'>> {
  const unchanged = waits === undefined ? {} : { for: waits };
  for (const { index, 0: comparison, 1: operator = '', 2: number } of expr.matchAll(/(==|>=|>|<)(?: ([\d.]+))?/g)) {
    const around = (text: string) => expr.slice(0, index) + text + expr.slice(index + comparison.length);
    const factors = number === undefined ? ['1.2 *', '0.8 *'] : changed(Number(number));
    for (const other of factors) yield { ...unchanged, expr: around(`${operator} ${other}`) };
  }
  if (waits !== undefined) for (const time of changedTimes(waits)) yield { expr, for: time };
}

const changed = (number: number): string[] =>
  (Number.isInteger(number) && number < 10 ? [number + 1, number - 1] : [number * 1.2, number * 0.8]).map(String);

function changedTimes(time: string): string[] {
  const minutes = Number.parseInt(time, 10);
  return [`${minutes * 60 + 30}s`, `${minutes * 60 - 30}s`];
}

/** The cases of one alert, with that rule and what it is made of alone. */
async function testOf(rule: Rule & { alert: string }): Promise<Outcome> {
  const dir = await mkdtemp(join(runDir(), 'rules-'));
  const made = rule.expr.includes('po:') ? recorded : [];
  await writeFile(join(dir, 'rules.yaml'), stringify({ groups: [{ name: 'mutated', rules: [...made, rule] }] }));
  const paths = await Promise.all(
    caseFiles.map(async (file, index) => {
      const tests = casesOf(file, rule.alert).map((test) => ({
        ...test,
        alert_rule_test: test.alert_rule_test.filter(({ alertname }) => alertname === rule.alert),
      }));
      if (tests.length === 0) return [];
      const path = join(dir, `${index}.yaml`);
      await writeFile(path, stringify({ ...file, rule_files: ['rules.yaml'], tests }));
      return [path];
    }),
  );
  return tool('promtool', ['test', 'rules', ...paths.flat()]);
}

describe('the cases', () => {
  const mutations = alerts.flatMap((rule) =>
    [...mutationsOf(rule)].map((mutation) => ({
      mutated: { ...rule, ...mutation },
      what: `${rule.alert}: ${mutation.expr.replaceAll(/\s+/g, ' ').slice(-60)} for ${mutation.for ?? '0s'}`,
    })),
  );

  it('hold for each rule by itself', async () => {
    expect(mutations.length).toBeGreaterThan(2 * alerts.length);
    for (const rule of alerts) expect([rule.alert, (await testOf(rule)).code]).toEqual([rule.alert, 0]);
  }, 120_000);

  it.concurrent.each(mutations.map(({ what, mutated }) => [what, mutated] as const))(
    'notice a change to %s',
    async (_, mutated) => {
      expect((await testOf(mutated)).code).not.toBe(0);
    },
    120_000,
  );
});
