import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { REPOSITORY } from '../local/repository.js';
import { SERVICE_NAMES } from '../local/stack/stack-file.js';
import { runDir } from '../tools/fixtures/ops-tools.js';
import { bundledOf, installProduction, installedLockfile } from './production-tree.js';
import { gaps, schemaProblems } from './sbom-checks.js';
import { billOfMaterials } from './sbom.js';

it.each(Object.values(SERVICE_NAMES))(
  'the bill of materials of %s contains exactly the packages of its image, with licences and hashes',
  async (service) => {
    const tree = join(runDir(), `tree-${service}`);
    await installProduction(service, tree);
    const [installed, bundled] = [await installedLockfile(tree), bundledOf(tree)];
    const bom = billOfMaterials({ service, version: '0.1.0', installed, bundled });
    expect([schemaProblems(bom), gaps(bom, tree)]).toEqual([[], []]);
    const { components } = JSON.parse(bom) as { components: { name: string; group?: string }[] };
    const manifest = JSON.parse(await readFile(join(REPOSITORY, 'services', service, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    const listed = new Set(components.map(({ name, group }) => `${group ? `${group}/` : ''}${name}`));
    expect(Object.keys(manifest.dependencies ?? {}).filter((name) => !listed.has(name))).toEqual([]);
    // What it was built of is in the files that browsers get.
    const ofPortal = ['@mantine/core', 'oidc-client-ts'].filter((name) => listed.has(name));
    expect(ofPortal).toHaveLength(service === 'gateway' ? 2 : 0);
    // What only tests and tools need is in no image.
    expect(['typescript', 'jest', 'oxfmt', 'testcontainers', '@po/client'].filter((name) => listed.has(name))).toEqual(
      [],
    );
  },
  180_000,
);
