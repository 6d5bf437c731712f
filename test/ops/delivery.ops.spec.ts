import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { commonSettings } from '@po/platform';
import { parse } from 'yaml';
import { ROOT, pathsOf, readText } from '@po/testing/documents';
import { NAMES, rendered } from './chart.js';
import { run } from '../../deploy/local/processes/run.js';
import { SERVICE_NAMES } from '../../deploy/local/stack/stack-file.js';
import { runDir, tryTool } from '../../deploy/tools/fixtures/ops-tools.js';

describe('the image', () => {
  it('is built from a Dockerfile that passes hadolint', async () => {
    const dockerfiles = pathsOf('**/Dockerfile');
    expect(dockerfiles).toEqual(['deploy/Dockerfile']);
    expect(await tryTool('hadolint', ['--failure-threshold', 'style', ...dockerfiles])).toEqual({
      code: 0,
      output: '',
      text: '',
    });
  });
});

describe('docker compose', () => {
  interface ComposeService {
    depends_on?: Record<string, unknown>;
    volumes?: string[];
    env_file?: string;
    environment?: Record<string, unknown>;
  }
  interface Compose {
    services: Record<string, ComposeService>;
    volumes: Record<string, unknown>;
  }
  const compose = parse(readText('docker-compose.yml'), { merge: true }) as Compose;

  it('accepts docker-compose.yml', async () => {
    expect(await tryTool('compose-check', ['docker-compose.yml'])).toMatchObject({ code: 0 });
  });

  it('finds all services, files and volumes that the file references', () => {
    const services = Object.values(compose.services);
    expect(services.length).toBeGreaterThan(8);
    const needed = services.flatMap(({ depends_on: needs = {} }) => Object.keys(needs));
    expect(needed.filter((name) => !Object.hasOwn(compose.services, name))).toEqual([]);
    const mounted = services.flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    const files = [
      ...mounted.filter((source) => source.startsWith('.')),
      ...services.flatMap(({ env_file: file }) => file ?? []),
    ];
    expect(files.filter((path) => pathsOf(path).length === 0)).toEqual([]);
    const named = mounted.filter((source) => !source.startsWith('.'));
    expect(named.filter((name) => !Object.hasOwn(compose.volumes, name))).toEqual([]);
  });

  it('passes the tracing settings to every service', () => {
    const settings = Object.keys(commonSettings).filter((name) => name.startsWith('OTEL_'));
    const handedOn = Object.fromEntries(settings.map((name) => [name, null]));
    for (const service of Object.values(SERVICE_NAMES))
      expect(compose.services[service]?.environment).toMatchObject(handedOn);
  });
});

describe('secrets', () => {
  it('are in no commit', async () => {
    const { code, text } = await tryTool('gitleaks', ['git', '--no-banner', '--redact', '--verbose', '.']);
    expect([code, code === 0 ? '' : text]).toEqual([0, '']);
    expect((await run('git', ['rev-parse', '--is-shallow-repository'], { cwd: ROOT })).trim()).toBe('false');
  });

  const KEY = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const TOKEN = `ghp_${randomBytes(27).toString('base64').replaceAll(/\W/g, 'x')}`;
  it.each([
    ['a private key', KEY],
    ['a token', `token: ${TOKEN}\n`],
    ['a token beside a value that resembles one', `'idempotency-key': 'e6b7f0d2', token: '${TOKEN}'\n`],
  ])('are found in the history after a later commit removed them: %s', async (_what, secret) => {
    const repository = await mkdtemp(join(runDir(), 'leaky-'));
    // Ignores the configuration of the developer, which may sign commits.
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' };
    const git = (...args: string[]) => run('git', args, { cwd: repository, env });
    await git('init', '--quiet');
    for (const text of ['nothing\n', secret, 'nothing\n']) {
      await writeFile(join(repository, 'notes.txt'), text);
      await git('add', '.');
      const who = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.com'];
      await git(...who, 'commit', '--quiet', '--message', 'change notes');
    }
    const { code, text } = await tryTool('gitleaks', [
      'git',
      '--no-banner',
      '--redact',
      '--config',
      '.gitleaks.toml',
      repository,
    ]);
    expect([code, text]).toEqual([1, expect.stringContaining('leaks found: 1')]);
  });

  it('are not in any rendering of the chart', async () => {
    const folder = join(runDir(), 'secrets');
    await mkdir(folder);
    for (const name of NAMES) await writeFile(join(folder, `${name}.yaml`), await rendered(name));
    const { code, text } = await tryTool('gitleaks', ['dir', '--no-banner', '--redact', '--verbose', folder]);
    expect([code, code === 0 ? '' : text]).toEqual([0, '']);
  });
});
