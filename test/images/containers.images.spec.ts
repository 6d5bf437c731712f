import { SERVICE_NAMES } from '../../deploy/local/stack/stack-file.js';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { runDir } from '../../deploy/tools/fixtures/ops-tools.js';
import { textOf } from '@po/testing/documents';
import { eventually } from '@po/testing/eventually';
import { type Stage, stagesOf } from './dockerfile.js';
import { Engine } from './engine.js';
import { describeLife } from './life.js';
import { type ImageWorld, openWorld } from './world.js';

const START_MS = 20 * 60_000;
const REVISION = 'c0ffee';
/** As the Dockerfile has it; what stands for it here has another digest. */
const BASE = baseOf(stagesOf(textOf('deploy/Dockerfile'))).replace(/@.*/, '');

const imageOf = (name: string) => `localhost/po/${name}:test`;

let engine: Engine;
let opening: Promise<ImageWorld>;
let world: ImageWorld;

beforeAll(async () => {
  const cache = process.env['OPS_CACHE'];
  if (!cache) throw new Error('OPS_CACHE is not set: start these tests by "npm run test:images"');
  engine = await Engine.open(join(runDir(), 'engine'));
  opening = openWorld({ dir: join(runDir(), 'world'), cache });
  await engine.buildBase(BASE);
  const args = ['--build-arg', `REVISION=${REVISION}`];
  for (const name of Object.values(SERVICE_NAMES)) await build(name, ['--build-arg', `SERVICE=${name}`, ...args]);
  await build('local', ['--target', 'local']);
  world = await opening;
}, START_MS);

afterAll(async () => {
  await engine?.close();
  await opening?.then((open) => open.close());
}, START_MS);

async function build(name: string, args: readonly string[]): Promise<void> {
  const startedAt = performance.now();
  await engine.build(imageOf(name), REPOSITORY, [
    '--file',
    join(REPOSITORY, 'deploy/Dockerfile'),
    '--build-arg',
    `NODE_IMAGE=${BASE}`,
    ...args,
  ]);
  process.stderr.write(`  built ${name} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`);
}

/** What a program for Node prints that runs in an image. */
async function printed(image: string, program: string): Promise<string> {
  const container = engine.run(image, {
    network: 'none',
    command: ['node', '--input-type=module', '--eval', program],
  });
  const code = await container.exited;
  if (code !== 0) throw new Error(`ended with ${code}: ${container.output()}`);
  return container.output().trim();
}

describe.each(Object.values(SERVICE_NAMES))('the image of %s', (name) => {
  it('says what it is', async () => {
    const { Config: config } = await engine.inspect(imageOf(name));
    expect(config.Labels).toMatchObject({
      'org.opencontainers.image.title': `purchase-order-collaboration/${name}`,
      'org.opencontainers.image.version': 'unspecified',
      'org.opencontainers.image.revision': REVISION,
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.base.name': BASE,
    });
    expect(config).toMatchObject({ User: '10001:10001', WorkingDir: `/app/services/${name}` });
    expect([config.Entrypoint ?? [], config.Cmd?.[0]]).toEqual([[], 'node']);
  });

  it('has a size', async () => {
    const { Size: size } = await engine.inspect(imageOf(name));
    const layers = (await engine.layersOf(imageOf(name))).filter((layer) => layer.size > 100_000);
    const lines = layers.map((layer) => `    ${megabytes(layer.size).padStart(9)}  ${layer.by.slice(0, 90)}`);
    process.stderr.write(`  ${name}: ${megabytes(size)}\n${lines.join('\n')}\n`);
    expect(size).toBeGreaterThan(0);
  });

  it('runs Node as process 1, as a user without any right, on files that it cannot write to', async () => {
    const seen = JSON.parse(
      await printed(
        imageOf(name),
        `import { readFileSync, writeFileSync } from 'node:fs';
        const attempt = (file) => { try { writeFileSync(file, ''); return 'written'; } catch ({ code }) { return code; } };
        const status = readFileSync('/proc/self/status', 'utf8');
        const capabilities = [...status.matchAll(/^Cap\\w+:\\s*(\\w+)$/gm)].map(([, set]) => Number('0x' + set));
        const places = ['/x', '/app/x', 'dist/x', '/var/tmp/x', '/run/x', '/tmp/x'].map(attempt);
        console.log(JSON.stringify({ pid: process.pid, uid: process.getuid(), gid: process.getgid(), capabilities, places }));`,
      ),
    ) as unknown;
    expect(seen).toEqual({
      pid: 1,
      uid: 10_001,
      gid: 10_001,
      capabilities: [0, 0, 0, 0, 0],
      places: ['EROFS', 'EROFS', 'EROFS', 'EROFS', 'EROFS', 'written'],
    });
  });
});

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

describe('the identity provider of docker compose', () => {
  it('prints tokens, and ends with 0 on SIGTERM', async () => {
    // Not on this machine's network, where its port may be taken.
    const provider = engine.run(imageOf('local'), {
      network: 'none',
      environment: { PO_LOCAL_DIR: '/tmp/identity' },
      command: ['node', 'deploy/local/dist/commands/identity.js'],
    });
    const tokens = () => provider.output().match(/^[\w-]+\.[\w-]+\.[\w-]+$/gm) ?? [];
    await eventually('every demo user has a token', () => tokens().length > 3, { timeoutMs: 30_000 });
    await provider.stop();
    expect(await provider.exited).toBe(0);
  }, 60_000);
});

describeLife(() => ({
  world,
  run: (service, environment, command) =>
    engine.run(imageOf(SERVICE_NAMES[service]), {
      network: 'host',
      environment,
      command,
      ...(command ? { workdir: '/app' } : {}),
    }),
}));

function baseOf([first]: readonly Stage[]): string {
  return first && 'image' in first.base ? first.base.image : '';
}
