import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runTool, programOf, runDir } from '../tools/fixtures/ops-tools.js';
import { openRegistry } from '../tools/fixtures/registry.js';
import { pinImages, releasedImages } from './pinning.js';

const CRANE = programOf('crane');
const digests = new Map<string, string>();
let registry: Awaited<ReturnType<typeof openRegistry>>;
let host: string;

/** Pushes a new image into the registry. */
async function push(name: string): Promise<void> {
  const layer = join(runDir(), 'layer.tar');
  await writeFile(layer, Buffer.alloc(1024));
  await runTool('crane', ['append', '--insecure', '--new_layer', layer, '--new_tag', `${host}/${name}`]);
  digests.set(name, (await runTool('crane', ['digest', '--insecure', `${host}/${name}`])).trim());
}

beforeAll(async () => {
  registry = await openRegistry();
  ({ host } = registry);
  for (const name of ['kafka:4', 'node:24']) await push(name);
});
afterAll(() => registry.close());

it('pinImages writes the registry digests into every file and empties the list of unpinned images', async () => {
  const repository = join(runDir(), 'pinned');
  const files = {
    'docker-compose.yml': `services:\n  kafka:\n    image: ${host}/kafka:4\n  gateway:\n    image: po/gateway\n`,
    'deploy/Dockerfile': `ARG NODE_IMAGE=${host}/node:24\nFROM \${NODE_IMAGE}\n`,
    'deploy/supply-chain/unpinned-images.json': '{ "kafka:4": "for a reason" }\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(repository, path)), { recursive: true });
    await writeFile(join(repository, path), text);
  }
  const kafka = `${host}/kafka:4@${digests.get('kafka:4')}`;
  expect(await pinImages(repository, CRANE)).toEqual([kafka, `${host}/node:24@${digests.get('node:24')}`]);
  const text = (path: string) => readFile(join(repository, path), 'utf8');
  expect(await text('docker-compose.yml')).toBe(files['docker-compose.yml'].replace(`${host}/kafka:4`, kafka));
  expect(await text('deploy/Dockerfile')).toContain(`node:24@${digests.get('node:24')}\n`);
  expect(JSON.parse(await text('deploy/supply-chain/unpinned-images.json'))).toEqual({});
  // A second run must not append a second digest.
  const before = await text('docker-compose.yml');
  await pinImages(repository, CRANE);
  expect(await text('docker-compose.yml')).toBe(before);
});

it('releasedImages fails for an image that the registry lacks', async () => {
  await expect(releasedImages(CRANE, host, '9.9.9')).rejects.toThrow(/no answer for .*gateway:9\.9\.9: /);
});
