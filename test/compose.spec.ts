import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { pathsOf, readText } from '@po/testing/documents';
import { NODE_VARIABLES, SETTINGS } from './support/settings.js';

interface Service {
  image?: string;
  build?: { dockerfile: string; target?: string; args?: string[] };
  command?: string[];
  environment?: Record<string, string | null>;
  env_file?: string;
  healthcheck?: { test: string[] };
}
const text = readText('docker-compose.yml');
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
const own = Object.entries(services).filter(([, { image, build }]) => build ?? image?.startsWith('po/'));
const built = own.filter(([, { build }]) => build);

/** Value of an expression such as `${PORT:-8080}` if no variable is set. */
const defaultOf = (value: string): string => value.replaceAll(/\$\{\w+(?::-([^}]*))?\}/g, '$1');

/** Environment of the container's process if the caller of compose sets no variables. */
function environmentOf({ env_file: file, environment = {} }: Service): Record<string, string> {
  const lines = file === undefined ? [] : readText(file).split('\n');
  const fromFile = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  // A variable without a value gets the caller's value, which is empty here.
  const own = Object.entries(environment).map(([name, value]): [string, string] => [name, defaultOf(value ?? '')]);
  return Object.fromEntries([...fromFile, ...own]);
}

/** An empty variable counts as absent. */
const withoutEmpty = (environment: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));

describe.each(Object.entries(SETTINGS))('docker compose: %s', (name, settings) => {
  const environment = environmentOf(services[name] ?? {});

  it('gives the container a valid environment without unknown variables', () => {
    expect(settings.safeParse(withoutEmpty(environment)).error?.issues ?? []).toEqual([]);
    const known = [...Object.keys(settings.shape), ...NODE_VARIABLES];
    expect(Object.keys(environment).filter((variable) => !known.includes(variable))).toEqual([]);
  });
});

describe('the images that docker compose builds', () => {
  const dockerfile = readText('deploy/Dockerfile');
  const stages = [...dockerfile.matchAll(/^FROM .+ AS (\w+)$/gm)].map(([, name]) => name);

  it('are those of the services, the jobs and the identity provider', () => {
    expect(own.map(([name]) => name).toSorted()).toEqual([...Object.keys(SETTINGS), 'identity-provider'].toSorted());
  });

  it('are each built only once', () => {
    const images = built.map(([name, { image }]) => image ?? name);
    expect(images).toEqual([...new Set(images)]);
    expect(own.filter(([name, { image }]) => !images.includes(image ?? name))).toEqual([]);
    for (const [, { image, build }] of built) {
      expect(build?.dockerfile).toBe('deploy/Dockerfile');
      const service = build?.args?.find((arg) => arg.startsWith('SERVICE='))?.slice('SERVICE='.length);
      expect([`po/${service}`, ...stages]).toContain(build?.target ?? image);
    }
  });

  it.each(own)('contain the program that the container runs: %s', (_name, { image, command }) => {
    const service = image?.slice('po/'.length);
    const [program, ...options] = command ?? ['node', 'dist/main.js'];
    const path = options.pop() ?? '';
    expect(program).toBe('node');
    // Process 1 of a container ignores signals without a listener. The command of a job replaces the image's.
    expect(options).toEqual(command && service ? [/"(--import=[^"]+)"/.exec(dockerfile)?.[1]] : []);
    const source = posix.join(service === undefined ? '.' : `services/${service}`, path);
    // Programs of the local stack have their sources beside dist, without a src folder.
    const candidates = ['/src/', '/'].map((folder) => source.replace('/dist/', folder).replace(/\.js$/, '.ts'));
    expect(candidates.flatMap((file) => pathsOf(file))).toHaveLength(1);
  });

  it('expose the management port that the health checks request', () => {
    const healthChecks = Object.values(services).flatMap(({ build, healthcheck }) =>
      build && healthcheck ? healthcheck.test : [],
    );
    const ports = healthChecks.flatMap((argument) => /127\.0\.0\.1:(\d+)\/readyz/.exec(argument)?.[1] ?? []);
    expect(ports).toHaveLength(5);
    expect(/^EXPOSE (.+)$/m.exec(dockerfile)?.[1]?.split(' ')).toContain(ports[0]);
    expect(SETTINGS['dashboard']?.parse(withoutEmpty(environmentOf(services['dashboard'] ?? {})))).toMatchObject({
      MANAGEMENT_PORT: Number(ports[0]),
    });
    expect(new Set(ports).size).toBe(1);
  });
});
