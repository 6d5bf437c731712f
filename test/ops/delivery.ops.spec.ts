import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { commonSettings } from '@po/platform';
import { parse } from 'yaml';
import { pathsOf, textOf } from '../support/documents.js';
import { NAMES, rendered } from './chart.js';
import { runDir, tool } from './tools.js';

describe('the image', () => {
  it('is built as the linter of Dockerfiles wants it', async () => {
    const dockerfiles = pathsOf('**/Dockerfile');
    expect(dockerfiles).toEqual(['deploy/Dockerfile']);
    expect(await tool('hadolint', ['--failure-threshold', 'style', ...dockerfiles])).toEqual({
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
  const compose = parse(textOf('docker-compose.yml'), { merge: true }) as Compose;

  it('reads the file', async () => {
    expect(await tool('compose-check', ['docker-compose.yml'])).toMatchObject({ code: 0 });
  });

  it('finds what the file names', () => {
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

  it('hands every service what it is told of traces', () => {
    const settings = Object.keys(commonSettings).filter((name) => name.startsWith('OTEL_'));
    const handedOn = Object.fromEntries(settings.map((name) => [name, null]));
    for (const service of ['gateway', 'purchase-orders', 'notifications', 'dashboard'])
      expect(compose.services[service]?.environment).toMatchObject(handedOn);
  });
});

describe('secrets', () => {
  it('are in no commit', async () => {
    const { code, text } = await tool('gitleaks', ['git', '--no-banner', '--redact', '--verbose', '.']);
    expect([code, code === 0 ? '' : text]).toEqual([0, '']);
  }, 120_000);

  it('are in nothing that is rendered', async () => {
    for (const name of NAMES) await writeFile(join(runDir(), `secrets-${name}.yaml`), await rendered(name));
    const { code, text } = await tool('gitleaks', ['dir', '--no-banner', '--redact', '--verbose', runDir()]);
    expect([code, code === 0 ? '' : text]).toEqual([0, '']);
  }, 120_000);
});
