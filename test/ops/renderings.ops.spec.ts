import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { ROOT, readText } from '@po/testing/documents';
import { runTool } from '../../deploy/tools/fixtures/ops-tools.js';
import { CHART, NAMES, type Resource, lintFaults, resourcesIn, schemaFaults } from './chart.js';
import { PROPERTIES } from './properties/all.js';
import { type Rendered, fullName, jobsOf, render } from './properties/property.js';

const REVIEWED = join(ROOT, 'test/ops/rendering.yaml');

const idsOf = (resources: readonly Resource[]) => resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

let all: Rendered[];
beforeAll(async () => {
  all = await Promise.all(NAMES.map((name) => render(name)));
});

describe('the chart', () => {
  it('passes its own tests, the linter and the schemas with every values file', async () => {
    const faults: string[] = [];
    for (const faultsIn of [lintFaults, schemaFaults]) for await (const fault of faultsIn()) faults.push(fault);
    expect(faults).toEqual([]);
  });

  it('renders the reviewed objects (WRITE_RENDERING=1 updates them)', async () => {
    const { version } = parse(readText('deploy/helm/po-collaboration/Chart.yaml')) as { version: string };
    const text = stringify(reviewed(all), { lineWidth: 0, aliasDuplicateObjects: false }).replaceAll(
      version,
      'VERSION',
    );
    if (process.env['WRITE_RENDERING']) await writeFile(REVIEWED, text);
    expect(text).toBe(await readFile(REVIEWED, 'utf8'));
  });

  it('keeps every object name unique and within 63 characters with a release name of maximum length', async () => {
    const release = 'r'.repeat(53);
    const resources = resourcesIn(await runTool('helm', ['template', release, CHART, '--set', 'jobs.hooks=false']));
    expect(new Set(idsOf(resources)).size).toBe(resources.length);
    expect(resources.filter(({ metadata }) => metadata.name.length > 63)).toEqual([]);
  });
});

/** Names of all objects by kind, and one Job of the default rendering. Properties check every field of a Deployment. */
function reviewed(renderings: readonly Rendered[]): object {
  const names = (rendered: Rendered) => {
    const kindOf = ({ apiVersion, kind }: Resource) => `${apiVersion} ${kind}`;
    // The name of a plain Job ends with a hash of its pod.
    const nameOf = ({ metadata }: Resource) =>
      metadata.name.replace(fullName(rendered), '…').replace(/-[a-f0-9]{5}$/, '');
    const kinds = Object.groupBy(rendered.resources, kindOf);
    return Object.fromEntries(
      Object.entries(kinds).map(([kind, objects = []]) => [kind, objects.map(nameOf).toSorted().join(' ')]),
    );
  };
  const [first] = renderings;
  if (!first) throw new Error('nothing is rendered');
  return {
    names: Object.fromEntries(renderings.map((each) => [each.rendering, names(each)])),
    job: jobsOf(first)[1]?.job,
  };
}

describe.each(NAMES)('with the %s values', (name) => {
  const rendering = () => all.find((rendered) => rendered.rendering === name) as Rendered;

  it.each(PROPERTIES.map(({ title, check }) => [title, check] as const))('%s', async (_title, check) => {
    expect(rendering()).toBeDefined();
    await check(rendering());
  });

  it('every object name is unique, valid and in the same namespace', () => {
    const { resources } = rendering();
    expect(idsOf(resources)).toEqual([...new Set(idsOf(resources))]);
    expect(resources.filter(({ metadata }) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(metadata.name))).toEqual([]);
    expect(new Set(resources.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['purchase-orders']));
  });
});
