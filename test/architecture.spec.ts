import { readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { isTestFile, readText } from '@po/testing/documents';
import { SERVICE_NAMES } from '../deploy/local/stack/stack-file.js';
import { LAYERS } from './support/layers.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TOP = ['libs', 'services', 'deploy', 'test'];
const EXCLUDED_FOLDERS = new Set(['node_modules', 'dist', '.local', '.venv']);
const DOMAIN = 'services/purchase-orders/src/domain/';
const KAFKAJS = 'libs/messaging/src/kafkajs/';
const CHART = 'deploy/helm/po-collaboration/';
const MAX_LINES = 300;
/** Generated, so the line limit does not apply. */
const GENERATED = 'libs/client/src/api.ts';
const FOLDERS = ['common', 'shared', 'utils', 'util', 'interfaces', 'dtos', 'core', 'helpers', 'helper', 'misc'];
const NAMES = /(^|[.-])(manager|helper|util|utils|impl|base|dto)\.ts$/;

interface SourceFile {
  /** Path from the repository root, separated by "/". */
  path: string;
  text: string;
  imports: string[];
  isTest: boolean;
}

function walk(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (EXCLUDED_FOLDERS.has(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? [path, ...walk(path)] : [path];
  });
}

const paths = TOP.flatMap(walk);
const files: SourceFile[] = paths
  .filter((path) => /\.(tsx?|mjs)$/.test(path))
  .map((path) => {
    const text = readText(path);
    const imports = [
      ...text.matchAll(/^(?:import|export)\s[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm),
    ];
    return {
      path,
      text,
      imports: imports.map(([, from, bare, late]) => from ?? bare ?? late ?? ''),
      isTest: isTestFile(path) || /^(test|libs\/testing)\//.test(path),
    };
  });
/** Programs as integrators write them, without the packages of this repository. */
const EXAMPLES = 'libs/contracts/examples/';
const product = files.filter(({ path, isTest }) => !isTest && !path.startsWith(EXAMPLES));
const byPath = new Map(files.map((file) => [file.path, file]));

/** File in this repository that an import resolves to; null for a package. */
function target({ path }: SourceFile, specifier: string): string | null {
  const part = /^@po\/(contracts|testing)\/(.+)$/.exec(specifier);
  if (part) return `libs/${part[1]}/src/${part[2]}.ts`;
  if (specifier === '@po/messaging/testing') return 'libs/messaging/src/fixtures/testing.ts';
  const built = /^@po\/([^/]+)\/dist\/(.+)\.js$/.exec(specifier);
  if (built) return `services/${built[1]}/src/${built[2]}.ts`;
  const own = /^@po\/(.+)$/.exec(specifier);
  if (own) return `libs/${own[1]}/src/index.ts`;
  const alias = /^#(documents|local|supply-chain)\/(.+)\.js$/.exec(specifier);
  if (alias) return `deploy/${alias[1]}/${alias[2]}.ts`;
  if (!specifier.startsWith('.')) return null;
  const to = relative(ROOT, resolve(ROOT, dirname(path), specifier)).replaceAll('\\', '/');
  const written = ['.ts', '.tsx'].map((extension) => to.replace(/\.js$/, extension));
  return written.find((file) => paths.includes(file)) ?? written[0] ?? null;
}

const serviceOf = (path: string): string | undefined => /^services\/([^/]+)\//.exec(path)?.[1];

type Rule = (file: SourceFile, specifier: string, to: string | null) => boolean;
/** Every import that breaks the rule, by default in product code, as "file imports specifier". */
const offenders = (breaks: Rule, among = product): string[] =>
  among.flatMap((file) =>
    file.imports
      .filter((specifier) => breaks(file, specifier, target(file, specifier)))
      .map((specifier) => `${file.path} imports ${specifier}`),
  );

describe('the source tree', () => {
  it('is not empty', () => {
    expect(product.length).toBeGreaterThan(50);
    expect(product.some(({ imports }) => imports.length > 3)).toBe(true);
  });

  it('a service imports no other service, and a library imports no service', () => {
    const isOther = (path: string, to: string) => serviceOf(to) !== undefined && serviceOf(to) !== serviceOf(path);
    expect(
      offenders(({ path }, _specifier, to) => /^(libs|services)\//.test(path) && to !== null && isOther(path, to)),
    ).toEqual([]);
  });

  it('libs/contracts imports only the schema library', () => {
    expect(
      offenders(
        ({ path }, specifier, to) =>
          path.startsWith('libs/contracts/') && specifier !== 'zod' && !to?.startsWith('libs/contracts/'),
      ),
    ).toEqual([]);
  });

  it('the files that browsers load import no Node modules and no schemas', () => {
    const loaded =
      /^(libs\/(client|spreadsheets)\/src|services\/portal\/src|libs\/contracts\/src\/(constants|limits|orders\/statuses)\.ts$)/;
    const isServerOnly = (specifier: string) => isBuiltin(specifier) || ['zod', '@po/contracts'].includes(specifier);
    expect(offenders(({ path }, specifier) => loaded.test(path) && isServerOnly(specifier))).toEqual([]);
  });

  it('only libs/messaging/src/kafkajs imports or requires KafkaJS and its internals', () => {
    const outside = product.filter(({ path }) => !path.startsWith(KAFKAJS));
    // Searches the text, because the patches use require instead of import.
    expect(outside.filter(({ text }) => /['"`]kafkajs\b/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('only connect-kafka.ts imports from the folder of the KafkaJS adapter', () => {
    const outside = files.filter(({ path }) => !path.startsWith(KAFKAJS));
    const importers = outside.filter((file) => file.imports.some((name) => target(file, name)?.startsWith(KAFKAJS)));
    expect(importers.map(({ path }) => path)).toEqual(['libs/messaging/src/connect-kafka.ts']);
  });

  it('a library is imported by its package name, never by a relative path, specs of services included', () => {
    expect(
      offenders(
        ({ path }, specifier, to) =>
          specifier.startsWith('.') && to?.startsWith('libs/') === true && !path.startsWith(to.split('/src/')[0] ?? ''),
        files.filter(({ path, isTest }) => !isTest || path.startsWith('services/')),
      ),
    ).toEqual([]);
  });

  it('libraries and services import nothing from test/ or deploy/, and deploy/ imports nothing from test/, specs included', () => {
    const forbidden = (path: string): RegExp | null =>
      /^(libs|services)\//.test(path) ? /^(test|deploy)\// : path.startsWith('deploy/') ? /^test\// : null;
    const offending = files.flatMap((file) =>
      file.imports
        .filter((specifier) => forbidden(file.path)?.test(target(file, specifier) ?? '') === true)
        .map((specifier) => `${file.path} imports ${specifier}`),
    );
    expect(offending).toEqual([]);
  });

  it('only specs, fixtures, deploy/ and test/ import @po/testing, and only by subpath', () => {
    const importers = files.filter(({ imports }) => imports.some((specifier) => /^@po\/testing\b/.test(specifier)));
    expect(importers.length).toBeGreaterThan(50);
    const inProduct = importers.filter(({ path, isTest }) => !isTest && !path.startsWith('deploy/'));
    expect(inProduct.map(({ path }) => path)).toEqual([]);
    const missing = importers.flatMap((file) =>
      file.imports.filter((name) => /^@po\/testing\b/.test(name) && !byPath.has(target(file, name) ?? '')),
    );
    expect(missing).toEqual([]);
  });

  it('a package that imports @po/testing declares it in devDependencies only', () => {
    const packages = new Set(
      files
        .filter(({ imports }) => imports.some((specifier) => specifier.startsWith('@po/testing/')))
        .flatMap(({ path }) => /^(?:libs|services)\/[^/]+/.exec(path)?.[0] ?? []),
    );
    const undeclared = [...packages].filter((folder) => {
      const manifest = JSON.parse(readText(join(folder, 'package.json'))) as Record<string, object>;
      const declares = (field: string) => '@po/testing' in (manifest[field] ?? {});
      return !declares('devDependencies') || declares('dependencies');
    });
    expect(undeclared).toEqual([]);
  });

  it('domain/ imports only @po/contracts and itself: no Nest, no TypeORM, no Node modules', () => {
    const forbidden = offenders(
      ({ path }, specifier, to) =>
        path.startsWith(DOMAIN) && specifier !== '@po/contracts' && to?.startsWith(DOMAIN) !== true,
    );
    expect(forbidden).toEqual([]);
  });

  it('domain/ is pure: it uses no clock, no random numbers and no I/O', () => {
    const impure =
      /\b(Date\.now|new Date\(\)|Math\.random|(performance|crypto|process|console)\.|(fetch|set(Timeout|Interval|Immediate))\()/;
    const rules = product.filter(({ path }) => path.startsWith(DOMAIN));
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.filter(({ text }) => impure.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('the folders, the build, the compose file and the chart have the same services as SERVICE_NAMES', () => {
    const names = Object.values(SERVICE_NAMES).toSorted((a, b) => a.localeCompare(b));
    const namesIn = (text: string, pattern: RegExp) =>
      [...text.matchAll(pattern)].map(([, name = '']) => name).toSorted((a, b) => a.localeCompare(b));
    expect(namesIn(paths.join('\n'), /^services\/([^/]+)\/src\/main\.ts$/gm)).toEqual(names);
    expect(namesIn(readText('deploy/local/bootstrap.mjs'), /^ +'services\/([\w-]+)',$/gm)).toEqual(names);
    expect([...new Set(namesIn(readText('docker-compose.yml'), /\bSERVICE=([\w-]+)/g))]).toEqual(names);
    const [, ofChart = ''] = /define "po\.services" -\}\}\n(.*)\n/.exec(readText(`${CHART}templates/_names.tpl`)) ?? [];
    expect(JSON.parse(ofChart)).toEqual(SERVICE_NAMES);
  });

  it('services have no index.ts', () => {
    expect(paths.filter((path) => /^services\/.*\/index\.ts$/.test(path))).toEqual([]);
  });

  it('product code has no import cycle', () => {
    const finished = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: string[]): void => {
      if (trail.includes(path)) {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
        return;
      }
      const file = byPath.get(path);
      if (!file || finished.has(path)) return;
      for (const specifier of file.imports) {
        const to = target(file, specifier);
        if (to) visit(to, [...trail, path]);
      }
      finished.add(path);
    };
    for (const { path } of product) visit(path, []);
    expect(cycles).toEqual([]);
  });

  it('product code reads process.env only in bootstrap.mjs and in files named config.ts', () => {
    const readers = product.filter(
      ({ path, text }) =>
        /process\.env\b/.test(text) && !/(^|\/)config\.ts$/.test(path) && path !== 'deploy/local/bootstrap.mjs',
    );
    expect(readers.map(({ path }) => path)).toEqual([]);
  });

  it('no folder or file has a generic name such as utils, helpers or manager', () => {
    expect(paths.filter((path) => path.split('/').some((part) => FOLDERS.includes(part)) || NAMES.test(path))).toEqual(
      [],
    );
  });

  it('no deferred import (forwardRef or import()) hides a cycle', () => {
    const deferred = product.filter(({ text }) => /forwardRef\(|\bimport\(/.test(text)).map(({ path }) => path);
    // The OpenTelemetry SDK is loaded only for tracing, and the portal loads each page on demand.
    expect(deferred.filter((path) => !path.startsWith('services/portal/src/'))).toEqual([
      'libs/platform/src/tracing/tracing.ts',
    ]);
  });

  it(`no file is longer than ${MAX_LINES} lines, tests included`, () => {
    const long = files
      .filter(({ path }) => path !== GENERATED)
      .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
      .filter(({ lines }) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });

  it('no test is skipped, focused or left as a todo', () => {
    const skipped = /\b(it|test|describe)\.(skip|only|todo)\b|\bx(it|describe)\(/;
    expect(
      files
        .filter(({ path, text }) => skipped.test(text) && path !== 'test/architecture.spec.ts')
        .map(({ path }) => path),
    ).toEqual([]);
  });
});

const PACKAGE = /^(?:(?:libs|services)\/[^/]+\/src|deploy\/local)(?=\/)/;
/** Packages, and the folders in them that have their own layers. */
const roots = [...new Set([...Object.keys(LAYERS), ...product.flatMap(({ path }) => PACKAGE.exec(path)?.[0] ?? [])])];

/** Layer of a file below a root and its level: 0 for the top, -1 for a layer missing in the table. Null for a file outside the root. */
function layerOf(root: string, path: string): { layer: string; level: number } | null {
  if (!path.startsWith(`${root}/`)) return null;
  const [first = '', ...rest] = path.slice(root.length + 1).split('/');
  const levels = LAYERS[root] ?? [['.']];
  const layer = rest.length > 0 || levels.flat().includes(first) ? first : '.';
  return { layer, level: levels.findIndex((layers) => layers.includes(layer)) };
}

describe('the layers', () => {
  it('the table lists every folder of a package, and every listed layer has files', () => {
    const found = roots.flatMap((root) =>
      product.flatMap(({ path }) => {
        const place = layerOf(root, path);
        return place ? [{ name: `${root}/${place.layer}`, level: place.level }] : [];
      }),
    );
    const unlisted = found.filter(({ level }) => level < 0).map(({ name }) => name);
    expect([...new Set(unlisted)]).toEqual([]);
    const taken = new Set(found.map(({ name }) => name));
    const named = Object.entries(LAYERS).flatMap(([root, levels]) => levels.flat().map((layer) => `${root}/${layer}`));
    expect(named.filter((name) => !taken.has(name))).toEqual([]);
  });

  it.each(Object.keys(LAYERS))('files in %s import only from their own layer and from lower ones', (root) => {
    const upwards = offenders(({ path }, _specifier, to) => {
      const [from, onto] = [layerOf(root, path), to === null ? null : layerOf(root, to)];
      return from !== null && onto !== null && from.layer !== onto.layer && from.level >= onto.level;
    });
    expect(upwards).toEqual([]);
  });
});
