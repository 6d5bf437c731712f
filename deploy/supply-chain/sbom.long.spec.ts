import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { REPOSITORY } from '../local/repository.js';
import { lockedPackages } from './lockfile.js';
import { sbomProblems, schemaProblems } from './sbom-checks.js';
import { billOfMaterials } from './sbom.js';

interface Bom {
  components: { name: string; purl?: string }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}
const HERE = readFileSync(join(REPOSITORY, 'node_modules/.package-lock.json'), 'utf8');
const integrity = `sha512-${Buffer.alloc(64, 1).toString('base64')}`;
const INSTALLED = {
  packages: {
    'node_modules/@po/contracts': { resolved: 'libs/contracts', link: true },
    'node_modules/@s/one': { version: '1.0.0', integrity, license: 'MIT', dependencies: { two: '2' } },
    'node_modules/two': { version: '1.0.0', integrity, license: 'ISC' },
    'node_modules/@s/one/node_modules/two': { version: '2.0.0', integrity, license: '(MIT OR ISC)' },
    'libs/contracts': { version: '0.1.0', dependencies: { two: '1' } },
    'services/gateway': { version: '0.1.0', dependencies: { '@s/one': '1', '@po/contracts': '*' } },
  },
};
const bomOf = (installed: string) => billOfMaterials({ service: 'gateway', version: '0.1.0', installed });
const SMALL = bomOf(JSON.stringify(INSTALLED));

describe('a bill of materials', () => {
  it('is valid CycloneDX, contains every installed package, and is reproducible', () => {
    const bom = bomOf(HERE);
    expect(schemaProblems(bom)).toEqual([]);
    const { components } = JSON.parse(bom) as Bom;
    expect(components.filter(({ purl }) => purl !== undefined)).toHaveLength(lockedPackages(HERE).length);
    expect(components.length).toBeGreaterThan(500);
    expect(bomOf(HERE)).toBe(bom);
  });

  it('contains the dependencies of each package', () => {
    const { dependencies } = JSON.parse(SMALL) as Bom;
    expect(Object.fromEntries(dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]))).toEqual({
      '@po/gateway': ['libs/contracts', 'node_modules/@s/one'],
      'libs/contracts': ['node_modules/two'],
      'node_modules/@s/one': ['node_modules/@s/one/node_modules/two'],
      'node_modules/@s/one/node_modules/two': [],
      'node_modules/two': [],
    });
  });

  it('lists bundled packages below the portal, in addition to the installed ones', () => {
    const bundled = lockedPackages(JSON.stringify(INSTALLED)).filter(({ name }) => name === 'two');
    const installed = JSON.stringify(INSTALLED);
    const bom = billOfMaterials({ service: 'gateway', version: '0.1.0', installed, bundled });
    expect(schemaProblems(bom)).toEqual([]);
    const { components, dependencies } = JSON.parse(bom) as Bom;
    const needs = (of: string) => dependencies.find(({ ref }) => ref === of)?.dependsOn;
    expect(components).toHaveLength(7);
    expect(needs('@po/gateway')).toEqual(['libs/contracts', 'node_modules/@s/one', 'services/portal']);
    expect(needs('services/portal')).toEqual([
      'services/portal#node_modules/@s/one/node_modules/two',
      'services/portal#node_modules/two',
    ]);
  });

  it('has problems if it is not valid CycloneDX', () => {
    expect(schemaProblems(SMALL)).toEqual([]);
    expect(schemaProblems(SMALL.replace('"specVersion": "1.6"', '"specVersion": 1.6'))).not.toEqual([]);
    expect(schemaProblems(SMALL.replace('"id": "ISC"', '"id": "Nobody’s"'))).not.toEqual([]);
  });
});

describe('a dependency tree', () => {
  let tree: string;
  const install = async (path: string, manifest: object) => {
    await mkdir(join(tree, path), { recursive: true });
    await writeFile(join(tree, path, 'package.json'), JSON.stringify(manifest));
  };
  beforeEach(async () => {
    tree = await mkdtemp(join(tmpdir(), 'po-tree-'));
    await install('node_modules/@s/one', { name: '@s/one', version: '1.0.0' });
    await install('node_modules/two', { name: 'two', version: '1.0.0' });
    await install('node_modules/@s/one/node_modules/two', { name: 'two', version: '2.0.0' });
    // A nested manifest that only sets the module type.
    await install('node_modules/two/esm', { type: 'module' });
  });
  afterEach(() => rm(tree, { recursive: true }));

  it('has no gaps if every package is listed', () => {
    expect(sbomProblems(SMALL, tree)).toEqual([]);
  });

  it('has a gap for each unlisted or missing package, and for each package without a licence or hash', async () => {
    await install('services/gateway/node_modules/three', { name: 'three', version: '3.0.0' });
    await rm(join(tree, 'node_modules/@s/one/node_modules'), { recursive: true });
    expect(sbomProblems(SMALL, tree)).toEqual([
      'three@3.0.0 is installed and not listed',
      'two@2.0.0 is listed and not installed',
    ]);
    const bare = { packages: { 'node_modules/three': { version: '3.0.0' } } };
    expect(sbomProblems(bomOf(JSON.stringify(bare)), join(tree, 'services/gateway'))).toEqual([
      'three has no licence',
      'three has no hash',
    ]);
  });
});
